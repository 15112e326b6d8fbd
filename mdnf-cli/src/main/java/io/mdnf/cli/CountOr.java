package io.mdnf.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Takes a number of at least 1, or a word in its place. */
abstract class CountOr implements ITypeConverter<Integer> {

    private final String word;
    private final int meaning;

    CountOr(String word, int meaning) {
        this.word = word;
        this.meaning = meaning;
    }

    @Override
    public Integer convert(String value) {
        if (value.equals(word)) {
            return meaning;
        }
        if (!value.matches("0*[1-9][0-9]{0,8}")) {
            throw new TypeConversionException("'" + value + "' is neither a number of at least 1 nor " + word);
        }
        return Integer.valueOf(value);
    }
}
