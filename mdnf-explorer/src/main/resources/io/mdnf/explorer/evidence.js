'use strict';

/**
 * What was observed: a state for some variables, likelihoods of the states for others (soft evidence). Every change is
 * remembered, so that it can be undone.
 */
class Evidence {
  #past = [];
  #future = [];

  constructor(variables) {
    this.variables = variables;
    this.hard = new Map();
    this.soft = new Map();
    this.onchange = () => {};
  }

  /** Observes a state; the same state again frees the variable. */
  toggle(variable, state) {
    this.#change(() => {
      const again = this.hard.get(variable) === state;
      this.#free(variable);
      if (!again) this.hard.set(variable, state);
    });
  }

  soften(variable, likelihood) {
    this.#change(() => {
      this.#free(variable);
      this.soft.set(variable, likelihood);
    });
  }

  free(variable) {
    this.#change(() => this.#free(variable));
  }

  clear() {
    if (this.isEmpty) return;
    this.#change(() => {
      this.hard.clear();
      this.soft.clear();
    });
  }

  undo() {
    this.#restore(this.#past, this.#future);
  }

  redo() {
    this.#restore(this.#future, this.#past);
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  get isEmpty() {
    return this.hard.size + this.soft.size === 0;
  }

  has(variable) {
    return this.hard.has(variable) || this.soft.has(variable);
  }

  /** As an engine is asked. */
  about(more = {}) {
    return {evidence: [...this.hard], soft: [...this.soft], ...more};
  }

  /** {A: state} and {B: {state: likelihood}} by name, as files have it. */
  named() {
    const state = (variable, k) => this.variables[variable].states[k];
    return {
      evidence: Object.fromEntries([...this.hard].map(([v, k]) => [this.variables[v].name, state(v, k)])),
      soft: Object.fromEntries([...this.soft].map(([v, values]) => [this.variables[v].name,
        Object.fromEntries(values.map((value, k) => [state(v, k), value]))])),
    };
  }

  /** Takes what a file has; an Error says what is wrong with it. */
  load(named) {
    const hard = new Map();
    const soft = new Map();
    const find = name => {
      const at = this.variables.findIndex(variable => variable.name === name);
      if (at < 0) throw new Error(`this network has no variable '${name}'`);
      return at;
    };
    const stateOf = (variable, name) => {
      const at = this.variables[variable].states.indexOf(name);
      if (at < 0) throw new Error(`variable '${this.variables[variable].name}' has no state '${name}'`);
      return at;
    };
    const isNamed = value => value !== null && typeof value === 'object' && !Array.isArray(value);
    if (!isNamed(named) || !isNamed(named.evidence) || !isNamed(named.soft ?? {})) {
      throw new Error("this is no evidence file: it has no 'evidence'");
    }
    for (const [name, state] of Object.entries(named.evidence)) {
      const variable = find(name);
      hard.set(variable, stateOf(variable, state));
    }
    for (const [name, values] of Object.entries(named.soft ?? {})) {
      const variable = find(name);
      if (!isNamed(values)) throw new Error(`soft evidence of '${name}': one likelihood for each state`);
      const likelihood = this.variables[variable].states.map(() => 0);
      for (const [state, value] of Object.entries(values)) {
        if (!(value >= 0 && value < Infinity)) throw new Error(`soft evidence of '${name}': ${value} is no likelihood`);
        likelihood[stateOf(variable, state)] = value;
      }
      if (!likelihood.some(value => value > 0)) throw new Error(`soft evidence of '${name}': every state has 0`);
      if (hard.has(variable)) throw new Error(`variable '${name}' has a state and soft evidence`);
      soft.set(variable, likelihood);
    }
    this.#change(() => {
      this.hard = hard;
      this.soft = soft;
    });
  }

  /** For a person: A=x, B~y. */
  text() {
    const parts = [...this.hard].map(([v, k]) => `${this.variables[v].name}=${this.variables[v].states[k]}`);
    parts.push(...[...this.soft].map(([v]) => `${this.variables[v].name}~`));
    return parts.length === 0 ? 'nothing observed' : parts.join(', ');
  }

  /**
   * The command that answers the same: exactly where the page can, else within so many seconds. Null if there is none:
   * only exact inference takes soft evidence, and only that of directed networks.
   */
  command(source, {directed = true, exact = true, seconds = 60} = {}) {
    const special = ',:="';
    const quoted = name => name === name.trim() && ![...special].some(c => name.includes(c)) ? name
        : '"' + name.replace(/[\\"]/g, c => '\\' + c) + '"';
    const shell = text => /^[\w./=,:@%+-]+$/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'";
    if (this.soft.size > 0 && !(directed && exact)) return null;
    const budget = exact ? [] : ['--budget', `${Math.max(1, Math.ceil(seconds))}s`];
    const named = (v, k) => quoted(this.variables[v].name) + '=' + quoted(this.variables[v].states[k]);
    if (!directed) {
      const given = this.hard.size === 0 ? ''
          : `echo '${[this.hard.size, ...[...this.hard].flat()].join(' ')}' > case.evid && `;
      return given + ['mdnf', 'uai', 'fit', source, ...(given ? ['--evidence', 'case.evid'] : []), ...budget]
          .map(shell).join(' ');
    }
    const words = ['mdnf', 'bn', exact ? 'query' : 'fit', source];
    if (this.hard.size > 0) words.push('--evidence', [...this.hard].map(([v, k]) => named(v, k)).join(','));
    this.soft.forEach((values, v) => words.push('--soft', quoted(this.variables[v].name) + ':'
        + values.map((value, k) => `${quoted(this.variables[v].states[k])}=${value}`).join(',')));
    return [...words, ...budget].map(shell).join(' ');
  }

  #free(variable) {
    this.hard.delete(variable);
    this.soft.delete(variable);
  }

  #change(change) {
    this.#past.push([new Map(this.hard), new Map(this.soft)]);
    this.#future = [];
    change();
    this.onchange();
  }

  #restore(from, to) {
    if (from.length > 0) {
      to.push([this.hard, this.soft]);
      [this.hard, this.soft] = from.pop();
      this.onchange();
    }
  }
}
