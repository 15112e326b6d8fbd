package io.mdnf.search;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The most probable codes met so far, at most {@code capacity} of them, in order.
 *
 * <p>The first {@code elite} are what the caller is after; the rest are stepping stones. What falls out never comes
 * back, because the least value that is kept only grows: so nothing needs to be remembered beyond the pool itself.
 */
final class CodePool {

    /** A code and its log joint; equal when the codes are, whatever rounding did to the value. */
    static final class Entry implements Comparable<Entry> {
        final int[] code;
        final double value;
        private final int hash;
        private boolean expanded;
        private boolean scanned;

        Entry(int[] code, double value) {
            this.code = code;
            this.value = value;
            this.hash = Arrays.hashCode(code);
        }

        @Override
        public int compareTo(Entry other) {
            int byValue = Double.compare(other.value, value);
            return byValue != 0 ? byValue : Arrays.compare(code, other.code);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Entry entry && hash == entry.hash && Arrays.equals(code, entry.code);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    private final int eliteSize;
    private final int capacity;
    private final Map<Entry, Entry> known = new HashMap<>();
    private final TreeSet<Entry> ranked = new TreeSet<>();
    private final TreeSet<Entry> elite = new TreeSet<>();
    private final TreeSet<Entry> unexpanded = new TreeSet<>();
    private long arrivals;

    CodePool(int eliteSize, int capacity) {
        this.eliteSize = eliteSize;
        this.capacity = capacity;
    }

    /** Returns the value that a new code must pass to be kept; -infinity while there is room. */
    double threshold() {
        return ranked.size() < capacity ? Double.NEGATIVE_INFINITY : ranked.last().value;
    }

    /** Keeps a code if it is good enough and new. The caller hands over the array. */
    void offer(int[] code, double value) {
        if (!(value > threshold())) {
            return;
        }
        Entry entry = new Entry(code, value);
        if (known.putIfAbsent(entry, entry) != null) {
            return;
        }
        ranked.add(entry);
        unexpanded.add(entry);
        if (elite.size() < eliteSize || entry.compareTo(elite.last()) < 0) {
            elite.add(entry);
            arrivals++;
            if (elite.size() > eliteSize) {
                elite.pollLast();
            }
        }
        if (ranked.size() > capacity) {
            Entry last = ranked.pollLast();
            known.remove(last);
            unexpanded.remove(last);
        }
    }

    boolean contains(int[] code) {
        return known.containsKey(new Entry(code, 0));
    }

    boolean isExpanded(Entry entry) {
        Entry own = known.get(entry);
        return own != null && own.expanded;
    }

    boolean isElite(Entry entry) {
        return elite.contains(entry);
    }

    /** Takes the best code whose neighbours have not been asked for; null if there is none. */
    Entry nextUnexpanded() {
        Entry entry = unexpanded.pollFirst();
        if (entry != null) {
            entry.expanded = true;
        }
        return entry;
    }

    /** Takes the best elite code whose pairs of changes have not been tried; null if there is none. */
    Entry nextUnscanned() {
        Entry next = elite.stream().filter(entry -> !entry.scanned).findFirst().orElse(null);
        if (next != null) {
            next.scanned = true;
        }
        return next;
    }

    /** Returns how many times a code has entered the elite: unchanged means stable. */
    long arrivals() {
        return arrivals;
    }

    /** Returns the elite, best first. */
    List<Entry> elite() {
        return List.copyOf(elite);
    }
}
