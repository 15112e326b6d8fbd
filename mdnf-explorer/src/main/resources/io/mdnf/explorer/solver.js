'use strict';
// Exact inference for an exported page: messages between the cliques of an order of elimination.

/**
 * A product of tables, laid out once. factors: [{scope: [v, ..], table: [..]}], the last variable fastest. Tables hold
 * logarithms, null for that of 0, and nothing leaves them on the way: large potentials neither overflow nor vanish.
 */
class CliqueTree {
  constructor(cardinalities, factors) {
    this.cardinalities = cardinalities;
    const order = CliqueTree.#minFill(cardinalities, factors.map(factor => factor.scope));
    const rank = [];
    order.eliminated.forEach((variable, i) => { rank[variable] = i; });
    this.rank = rank;
    // the clique of a variable: itself, then what it was linked with, those eliminated sooner first
    this.cliques = order.eliminated.map((variable, i) => {
      const scope = [variable, ...order.neighbours[i].sort((a, b) => rank[a] - rank[b])];
      const size = scope.reduce((product, v) => product * cardinalities[v], 1);
      return {variable, scope, size, parent: scope.length > 1 ? rank[scope[1]] : -1, children: []};
    });
    this.cliques.forEach((clique, i) => {
      if (clique.parent >= 0) {
        this.cliques[clique.parent].children.push(i);
        clique.toParent = this.#places(clique.scope, clique.scope.slice(1));
        clique.ofParent = this.#places(this.cliques[clique.parent].scope, clique.scope.slice(1));
      }
    });
    this.potentials = this.cliques.map(clique => new Float64Array(clique.size));
    factors.forEach(factor => {
      const home = factor.scope.length === 0 ? 0 : Math.min(...factor.scope.map(v => rank[v]));
      const potential = this.potentials[home];
      this.#places(this.cliques[home].scope, factor.scope).forEach((place, e) => {
        potential[e] += factor.table[place] ?? -Infinity;
      });
    });
  }

  /** Eliminates again and again the variable whose neighbours lack the fewest links. */
  static #minFill(cardinalities, scopes) {
    const links = cardinalities.map(() => new Set());
    scopes.forEach(scope => scope.forEach(a => scope.forEach(b => { if (a !== b) links[a].add(b); })));
    const left = new Set(cardinalities.keys());
    const eliminated = [];
    const neighbours = [];
    while (left.size > 0) {
      let best = -1;
      let bestFill = Infinity;
      for (const v of left) {
        const around = [...links[v]];
        let fill = 0;
        around.forEach((a, i) => { for (let j = i + 1; j < around.length; j++) fill += !links[a].has(around[j]); });
        if (fill < bestFill) {
          best = v;
          bestFill = fill;
        }
      }
      const around = [...links[best]];
      around.forEach(a => {
        around.forEach(b => { if (a !== b) links[a].add(b); });
        links[a].delete(best);
      });
      left.delete(best);
      eliminated.push(best);
      neighbours.push(around);
    }
    return {eliminated, neighbours};
  }

  /** Where each entry over one scope lies in a table over some of its variables. */
  #places(scope, part) {
    const strides = scope.map(v => {
      const at = part.indexOf(v);
      return at < 0 ? 0 : part.slice(at + 1).reduce((product, w) => product * this.cardinalities[w], 1);
    });
    let places = [0];
    scope.forEach((v, i) => {
      places = places.flatMap(place => Array.from({length: this.cardinalities[v]}, (_, k) => place + k * strides[i]));
    });
    return Int32Array.from(places);
  }

  /** The potentials where findings leave some states only: factors by state of each variable, or null. */
  #observed(states, likelihoods) {
    return this.cliques.map((clique, c) => {
      const table = this.potentials[c].slice();
      const v = clique.variable;
      if (states[v] < 0 && likelihoods[v] === null) {
        return table;
      }
      const inner = clique.size / this.cardinalities[v];
      for (let e = 0; e < table.length; e++) {
        const k = Math.floor(e / inner);
        const likelihood = states[v] >= 0 ? Number(states[v] === k) : likelihoods[v][k];
        table[e] += Math.log(likelihood);
      }
      return table;
    });
  }

  /** The logarithms of sums of what has one place in a smaller table. */
  static #sums(logs, places, size) {
    const most = new Float64Array(size).fill(-Infinity);
    logs.forEach((value, e) => { most[places[e]] = Math.max(most[places[e]], value); });
    const sums = new Float64Array(size);
    logs.forEach((value, e) => { if (value > -Infinity) sums[places[e]] += Math.exp(value - most[places[e]]); });
    return sums.map((sum, place) => most[place] === -Infinity ? -Infinity : most[place] + Math.log(sum));
  }

  /** Marginals [variable][state] and the logarithm of the evidence, given a state or -1 for each variable. */
  calibrate(states, likelihoods) {
    const beliefs = this.#observed(states, likelihoods);
    const sent = [];
    let logEvidence = 0;
    this.cliques.forEach((clique, c) => {
      if (clique.parent < 0) {
        logEvidence += CliqueTree.#sums(beliefs[c], new Int32Array(clique.size), 1)[0];
        return;
      }
      sent[c] = CliqueTree.#sums(beliefs[c], clique.toParent, clique.size / this.cardinalities[clique.variable]);
      const parent = beliefs[clique.parent];
      clique.ofParent.forEach((place, e) => { parent[e] += sent[c][place]; });
    });
    if (!(logEvidence > -Infinity)) {
      return {logEvidence: -Infinity};
    }
    for (let c = this.cliques.length - 1; c >= 0; c--) {
      const clique = this.cliques[c];
      if (clique.parent >= 0) {
        // what the parent knows from elsewhere; where this clique sent 0 nothing can come back
        const back = CliqueTree.#sums(beliefs[clique.parent], clique.ofParent, sent[c].length)
            .map((value, e) => sent[c][e] > -Infinity ? value - sent[c][e] : -Infinity);
        clique.toParent.forEach((place, e) => { beliefs[c][e] += back[place]; });
      }
    }
    beliefs.forEach((logs, c) => {
      const most = logs.reduce((a, b) => Math.max(a, b));
      let total = 0;
      logs.forEach((value, e) => { total += logs[e] = Math.exp(value - most); });
      for (let e = 0; e < logs.length; e++) beliefs[c][e] /= total;
    });
    const marginal = (variable, c) => {
      const p = new Array(this.cardinalities[variable]).fill(0);
      this.#places(this.cliques[c].scope, [variable]).forEach((k, e) => { p[k] += beliefs[c][e]; });
      return p;
    };
    return {
      logEvidence,
      marginals: this.cardinalities.map((_, v) => marginal(v, this.rank[v])),
      information: (a, b) => this.#information(beliefs, a, b),
    };
  }

  /** I(a; b) of two variables that are in one clique. */
  #information(beliefs, a, b) {
    const c = Math.min(this.rank[a], this.rank[b]);
    const inside = (...part) => {
      const sums = new Float64Array(part.reduce((product, v) => product * this.cardinalities[v], 1));
      this.#places(this.cliques[c].scope, part).forEach((place, e) => { sums[place] += beliefs[c][e]; });
      return [...sums];
    };
    return Math.max(0, entropy(inside(a)) + entropy(inside(b)) - entropy(inside(a, b)));
  }

  /** The best states given what each variable may be, and the logarithm of their value. */
  #best(states, likelihoods, allowed) {
    const tables = this.#observed(states, likelihoods);
    let value = 0;
    this.cliques.forEach((clique, c) => {
      const inner = clique.size / this.cardinalities[clique.variable];
      allowed[clique.variable]?.forEach((may, k) => {
        if (!may) tables[c].fill(-Infinity, k * inner, (k + 1) * inner);
      });
    });
    this.cliques.forEach((clique, c) => {
      const message = new Float64Array(clique.parent < 0 ? 1 : clique.size / this.cardinalities[clique.variable])
          .fill(-Infinity);
      tables[c].forEach((entry, e) => {
        const place = clique.parent < 0 ? 0 : clique.toParent[e];
        message[place] = Math.max(message[place], entry);
      });
      if (clique.parent < 0) {
        value += message[0];
      } else {
        clique.ofParent.forEach((place, e) => { tables[clique.parent][e] += message[place]; });
      }
    });
    if (!(value > -Infinity)) {
      return null;
    }
    const found = new Array(this.cardinalities.length).fill(-1);
    for (let c = this.cliques.length - 1; c >= 0; c--) {
      const {scope} = this.cliques[c];
      let base = 0;
      scope.slice(1).forEach(v => { base = base * this.cardinalities[v] + found[v]; });
      const inner = this.cliques[c].size / this.cardinalities[scope[0]];
      let most = -Infinity;
      for (let k = 0; k < this.cardinalities[scope[0]]; k++) {
        if (tables[c][k * inner + base] > most) {
          most = tables[c][k * inner + base];
          found[scope[0]] = k;
        }
      }
    }
    return {states: found, value};
  }

  /** The most probable states of all variables, best first: what is found splits what is left into parts without it. */
  mostProbable(states, likelihoods, count) {
    const {logEvidence} = this.calibrate(states, likelihoods);
    const open = [];
    const add = (allowed, from) => {
      const best = this.#best(states, likelihoods, allowed);
      if (best !== null) open.push({...best, allowed, from});
    };
    const explanations = [];
    add(this.cardinalities.map(() => null), 0);
    while (open.length > 0 && explanations.length < count) {
      open.sort((a, b) => a.value - b.value);
      const next = open.pop();
      explanations.push({states: next.states, probability: Math.exp(next.value - logEvidence)});
      const fixed = next.allowed.slice();
      for (let v = next.from; v < states.length; v++) {
        const may = Array.from({length: this.cardinalities[v]},
            (_, k) => k !== next.states[v] && (fixed[v] === null || fixed[v][k]));
        if (states[v] < 0 && may.includes(true)) {
          add(fixed.map((own, w) => w === v ? may : own), v);
        }
        fixed[v] = may.map((_, k) => k === next.states[v]);
      }
    }
    return explanations;
  }
}
