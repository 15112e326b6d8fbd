'use strict';
// Who answers: the server this page came from, or, in an exported copy, the tables inside the file.

/** Asks the server; an answer with `error` is thrown as an Error for a person to read. */
class RemoteEngine {
  /** Who asks: what this page no longer waits for is given up, what others wait for is not. */
  #page = Array.from(crypto.getRandomValues(new Uint8Array(12)), value => value.toString(16)).join('.');
  /** Counts what makes earlier questions idle, since they may arrive in another order. */
  #turn = 1;

  async look() {
    return this.#json(fetch('look'));
  }

  async ask(question, about, signal) {
    if (question === 'marginals') this.#turn++;
    return this.#json(this.#post(question, about, {signal}));
  }

  /** The page with its tables in one file. */
  async alone() {
    return this.ask('page', {});
  }

  /** Nobody waits for marginals any more. */
  cancel() {
    this.#turn++;
    this.#post('cancel', {}, {keepalive: true}).catch(() => {}); // a server that is gone works on nothing
  }

  #post(question, about, more) {
    return fetch('ask/' + question, {
      method: 'POST', headers: {'Content-Type': 'application/json'},
      body: JSON.stringify({...about, page: this.#page, turn: this.#turn}), ...more,
    });
  }

  async #json(coming) {
    const response = await coming.catch(problem => {
      throw problem.name === 'AbortError' ? problem : new Error(RemoteEngine.GONE);
    });
    const answer = await response.json().catch(() => null);
    if (!response.ok || answer === null) {
      throw new Error(answer && answer.error ? answer.error : `the server answered ${response.status}`);
    }
    if (answer.upper === null) answer.upper = Infinity;
    if (answer.lower === null) answer.lower = -Infinity;
    return answer;
  }
}

RemoteEngine.GONE = 'Nobody answers any more: ‘mdnf explore’ was stopped. Start it again and open the address that it '
    + 'prints.';

/** Answers from the tables of an exported page. */
class LocalEngine {
  constructor(model) {
    this.model = model;
    this.tree = new CliqueTree(model.variables.map(variable => variable.states.length), model.factors);
    const nothing = this.#calibrated({evidence: [], soft: []});
    this.model.prior = nothing.marginals;
  }

  async look() {
    return this.model;
  }

  async ask(question, about) {
    return this[question](about);
  }

  /** What is asked here is answered at once. */
  cancel() {}

  #calibrated(about, tree = this.tree) {
    return tree.calibrate(this.#states(about), this.#likelihoods(about));
  }

  #states(about) {
    const states = this.tree.cardinalities.map(() => -1);
    about.evidence.forEach(([variable, state]) => { states[variable] = state; });
    return states;
  }

  #likelihoods(about) {
    const likelihoods = this.tree.cardinalities.map(() => null);
    about.soft.forEach(([variable, values]) => { likelihoods[variable] = values; });
    return likelihoods;
  }

  marginals(about) {
    const started = performance.now();
    const found = this.#calibrated(about);
    if (found.logEvidence === -Infinity) {
      return {impossible: true};
    }
    return {
      exact: true, marginals: found.marginals, lower: found.logEvidence, upper: found.logEvidence,
      how: 'exact inference in this page', seconds: (performance.now() - started) / 1000,
      couplings: this.model.arcs.map(([a, b]) => [a, b, found.information(a, b)]),
    };
  }

  /** What each finding did: the distance from the posterior without it. */
  influences(about) {
    const target = about.target;
    const p = this.#calibrated(about).marginals[target];
    const findings = [...about.evidence, ...about.soft].map(([variable]) => variable)
        .filter(variable => variable !== target);
    return {influences: findings.map(finding => {
      const without = this.#calibrated({
        evidence: about.evidence.filter(([variable]) => variable !== finding),
        soft: about.soft.filter(([variable]) => variable !== finding),
      }).marginals[target];
      const nats = p.reduce((sum, value, k) => sum + (value === 0 ? 0 : value * Math.log(value / without[k])), 0);
      return {finding, without, nats: Math.max(0, nats)};
    }).sort((a, b) => b.nats - a.nats)};
  }

  /** The joint of two variables: one given each state of the other. */
  joint(about) {
    const [a, b] = about.variables;
    const p = this.#calibrated(about).marginals[a];
    const free = about.evidence.filter(([variable]) => variable !== a);
    return {joint: p.flatMap((value, state) => value === 0 ? this.model.prior[b].map(() => 0)
        : this.#calibrated({evidence: [...free, [a, state]], soft: about.soft}).marginals[b].map(q => value * q))};
  }

  information(about) {
    const base = this.#calibrated(about).marginals;
    const target = about.target;
    const nats = base.map(entropy);
    const free = about.evidence.filter(([variable]) => variable !== target);
    base[target].forEach((p, state) => {
      if (p > 0) {
        this.#calibrated({evidence: [...free, [target, state]], soft: about.soft}).marginals
            .forEach((given, variable) => { nats[variable] -= p * entropy(given); });
      }
    });
    return {information: nats.map(value => Math.max(0, value))};
  }

  explanations(about) {
    return {explanations: this.tree.mostProbable(this.#states(about), this.#likelihoods(about), about.count)};
  }
}

function entropy(p) {
  return p.reduce((sum, value) => value > 0 ? sum - value * Math.log(value) : sum, 0);
}
