'use strict';

/** Beside the graph: what was observed, one variable, explanations; each asked for when it is looked at. */
class Panel {
  constructor(model, ask, handlers) {
    this.model = model;
    this.ask = ask;
    this.handlers = handlers;
    this.variable = -1;
    this.second = -1;
    this.tabs = [['evidence', 'Evidence'], ['variable', 'Variable'], ['explanations', 'Explanations'],
      ['compare', 'Compare']];
    this.current = 'evidence';
    this.buttons = this.tabs.map(([key, name]) => button(name, () => this.show(key), {
      role: 'tab', id: 'tab-' + key, 'aria-controls': 'panel-body', onkeydown: event => this.#onTabKey(event),
    }));
    this.body = element('div', {role: 'tabpanel', id: 'panel-body', class: 'body', tabindex: '0'});
    this.root = element('aside', {class: 'panel', 'aria-label': 'Details'},
        element('div', {role: 'tablist', class: 'tabs', 'aria-label': 'Details'}, this.buttons), this.body);
  }

  show(key) {
    this.current = key;
    this.tabs.forEach(([each], i) => {
      this.buttons[i].setAttribute('aria-selected', String(each === key));
      this.buttons[i].tabIndex = each === key ? 0 : -1;
    });
    this.body.setAttribute('aria-labelledby', 'tab-' + key);
    this.draw();
  }

  /** Shows a new answer. */
  update(answer, evidence, pinned) {
    Object.assign(this, {answer, evidence, pinned});
    this.show(this.current);
  }

  select(variable) {
    this.variable = variable;
    this.show('variable');
  }

  /** Everything anew; the focus stays on what it was on, and in the panel if that is gone. */
  draw() {
    const focused = this.body.contains(document.activeElement) ? document.activeElement : null;
    const scrolled = this.body.scrollTop;
    this.body.replaceChildren(...this['draw_' + this.current]());
    this.body.scrollTop = scrolled;
    if (focused !== null) {
      const same = [...this.body.querySelectorAll('[data-key]')].find(each => each.dataset.key === focused.dataset.key);
      (same ?? this.body).focus({preventScroll: true});
    }
  }

  draw_evidence() {
    const {evidence} = this;
    const chips = [...evidence.hard].map(([v, k]) => this.#chip(v, '=', this.model.variables[v].states[k]));
    chips.push(...[...evidence.soft].map(([v, values]) => this.#chip(v, '~', values.map((value, k) =>
        `${this.model.variables[v].states[k]} ${digits(value)}`).join(', '))));
    return [
      chips.length > 0 ? element('ul', {class: 'chips', 'aria-label': 'What was observed'}, chips)
          : element('p', {}, 'Nothing was observed. ' + (this.model.variables.length > GraphView.OPEN
              ? 'A click on the bar of a box shows all its states. ' : '') + 'Click a state to observe it, again to '
              + 'take it back; shift-click, or the key s, for soft evidence. Click a name for its details. '
              + (this.model.exact ? 'Arcs are wider the more their ends tell of each other.' : '')),
      ...this.#trust(),
    ];
  }

  #chip(v, sign, text) {
    const name = this.model.variables[v].name;
    return element('li', {}, button(`${name} ${sign} ${text} ×`, () => this.evidence.free(v),
        {'aria-label': `Take back ${name} ${sign} ${text}`, 'data-key': `free-${v}`}));
  }

  #trust() {
    const {answer} = this;
    if (!answer || answer.impossible) return [];
    const facts = [];
    if (answer.exact) {
      facts.push(['log evidence', digits(answer.lower)]);
      if (this.model.directed) facts.push(['probability of it', Math.exp(answer.lower).toPrecision(4)]);
    } else {
      facts.push(['log evidence is at least', digits(answer.lower)],
          ['at most', digits(answer.upper)], ['gap', digits(answer.upper - answer.lower)],
          ['estimate', `${digits(answer.estimate)} ± ${digits(answer.estimateError)}`],
          ['largest error of a bar', '± ' + percent(largest(answer.errors))], ['trust', answer.sentence]);
    }
    facts.push(['how it was answered', answer.how], ['time', answer.seconds < 1
        ? `${(1000 * answer.seconds).toFixed(0)} ms` : `${answer.seconds.toFixed(1)} s`]);
    return [element('h2', {}, answer.exact ? 'Exact' : 'Estimated, between bounds'),
      element('p', {}, answer.exact ? Panel.EXACT : Panel.ESTIMATED),
      element('dl', {}, facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]))];
  }

  draw_variable() {
    if (this.variable < 0) {
      return [element('p', {}, 'Choose a variable: click its name in the network, or search for it.')];
    }
    const v = this.variable;
    const variable = this.model.variables[v];
    const p = this.answer?.marginals?.[v] ?? null;
    const {evidence, answer, pinned, model} = this;
    const head = [element('h2', {}, variable.name)];
    const children = model.variables.map((_, w) => w).filter(w => model.variables[w].parents.includes(v));
    for (const [title, relatives] of [['Parents', variable.parents], ['Children', children]]) {
      if (relatives.length > 0) {
        head.push(element('p', {}, title + ': ', relatives.map((w, i) => [i > 0 ? ', ' : '',
          button(model.variables[w].name, () => this.handlers.select(w), {class: 'link'})]).flat()));
      }
    }
    const errors = answer?.errors?.[v];
    const observe = (state, k) => button(state, () => this.handlers.observe(v, k), {
      'data-key': `state-${v}-${k}`, class: 'observe', 'aria-pressed': String(evidence.hard.get(v) === k),
      'aria-label': `${state}: observe it, or take it back`,
    });
    head.push(table('Probabilities', ['state', ...(model.prior ? ['before'] : []), 'now',
      ...(errors ? ['± error'] : []), ...(pinned ? ['pinned'] : [])],
    variable.states.map((state, k) => [observe(state, k), ...(model.prior ? [model.prior[v][k]] : []), p?.[k] ?? NaN,
      ...(errors ? [errors[k]] : []), ...(pinned ? [pinned.answer.marginals[v][k]] : [])])),
    element('p', {}, button('Soft evidence …', () => this.handlers.soften(v, 0), {'data-key': `soft-${v}`})));
    if (p === null) return head;
    head.push(element('p', {}, `Entropy ${digits(entropy(p))} nats.`));
    if (!model.exact) {
      head.push(element('p', {}, 'Joints and influences need exact inference, which is too large here.'));
      return head;
    }
    const moved = element('div', {class: 'later'});
    if (evidence.isEmpty) {
      moved.append(element('p', {}, 'Observe something, and what moved it most is shown here.'));
    } else if (!evidence.hard.has(v)) {
      this.#later(moved, 'influences', {target: v}, found => table('What moved it most', ['finding', 'nats'],
          found.influences.map(each => [model.variables[each.finding].name, each.nats])));
    }
    const told = element('div', {class: 'later'},
        button('What tells most about it?', () => this.#later(told, 'information', {target: v}, found =>
            table('Mutual information, nats', ['variable', 'nats'], found.information.map((nats, w) =>
                [model.variables[w].name, nats]).filter((_, w) => w !== v).sort((a, b) => b[1] - a[1])
                .slice(0, 12)))));
    return [...head, moved, told, this.#jointChooser(v)];
  }

  /** The joint with another variable. */
  #jointChooser(v) {
    const shown = element('div', {class: 'later'});
    const choose = element('select', {
      'aria-label': 'Joint with', 'data-key': 'joint', onchange: () => {
        this.second = Number(choose.value);
        this.#joint(shown, v, this.second);
      },
    }, element('option', {value: '-1'}, 'Joint probabilities with …'), this.model.variables.map((each, w) => w === v ? null
        : element('option', {value: String(w), selected: w === this.second}, each.name)));
    if (this.second >= 0 && this.second !== v) this.#joint(shown, v, this.second);
    return element('div', {}, choose, shown);
  }

  #joint(shown, a, b) {
    if (b < 0) {
      shown.replaceChildren();
      return;
    }
    const [one, two] = [this.model.variables[a], this.model.variables[b]];
    this.#later(shown, 'joint', {variables: [a, b]}, found => table(`${one.name} and ${two.name}`,
        ['', ...two.states], one.states.map((state, i) => [state, ...two.states.map((_, j) =>
            found.joint[i * two.states.length + j])])));
  }

  draw_explanations() {
    const shown = element('div', {class: 'later'});
    if (this.answer?.impossible) return [element('p', {}, 'Nothing explains what has probability 0.')];
    if (!this.model.exact) {
      return [element('p', {}, 'The most probable codes need exact inference, which is too large here.')];
    }
    this.#later(shown, 'explanations', {count: 5}, found => {
      const free = this.model.variables.map((_, v) => v).filter(v => !this.evidence.hard.has(v));
      const first = found.explanations[0];
      return element('ol', {class: 'explanations'}, found.explanations.map((each, i) => {
        const shownStates = i === 0 ? free : free.filter(v => each.states[v] !== first.states[v]);
        return element('li', {}, element('strong', {}, percent(each.probability)), ' ', i === 0 ? '' : 'but ',
            shownStates.map(v => `${this.model.variables[v].name}=${this.model.variables[v].states[each.states[v]]}`)
                .join(', '));
      }));
    });
    return [shown];
  }

  draw_compare() {
    const {pinned, answer} = this;
    const pin = button(pinned ? 'Pin what is shown now instead' : 'Pin what is shown now', () => this.handlers.pin(),
        {disabled: !answer?.marginals, 'data-key': 'pin'});
    if (!pinned) {
      return [element('p', {}, 'Pin the present answer, then change the evidence: both are shown side by side.'), pin];
    }
    const rows = answer?.marginals ? this.model.variables.flatMap((variable, v) => variable.states.map((state, k) =>
        [`${variable.name} = ${state}`, pinned.answer.marginals[v][k], answer.marginals[v][k]])) : [];
    rows.sort((a, b) => Math.abs(b[2] - b[1]) - Math.abs(a[2] - a[1]));
    return [element('p', {}, 'Pinned: ', element('strong', {}, pinned.text)),
      element('p', {class: 'tools'}, pin, button('Take the pin out', () => this.handlers.unpin())),
      table('Largest differences', ['state', 'pinned', 'now'], rows.slice(0, 15))];
  }

  /** Fills a place with what an engine answers, unless something newer was asked for meanwhile. */
  #later(place, question, about, show) {
    const focused = place.contains(document.activeElement);
    place.replaceChildren(element('span', {class: 'spinner', role: 'status'}, 'Working …'));
    if (focused) this.body.focus({preventScroll: true});
    const asked = this.evidence.about(about);
    place.asked = asked;
    setTimeout(() => {
      if (place.asked === asked && place.firstChild?.className === 'spinner') place.append(' ', button('Cancel', () => {
        place.asked = null;
        place.replaceChildren(element('p', {}, 'Cancelled.'));
        this.body.focus({preventScroll: true});
      }));
    }, 400);
    this.ask(question, asked).then(found => {
      if (place.asked === asked) place.replaceChildren(show(found));
    }, problem => {
      if (place.asked === asked && problem.name !== 'AbortError') {
        place.replaceChildren(element('p', {class: 'problem'}, problem.message));
      }
    });
  }

  #onTabKey(event) {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (step !== undefined) {
      const at = this.tabs.findIndex(([key]) => key === this.current);
      const next = (at + step + this.tabs.length) % this.tabs.length;
      this.show(this.tabs[next][0]);
      this.buttons[next].focus();
    }
  }
}

Panel.EXACT = 'These are the probabilities that the model implies, not estimates.';
Panel.ESTIMATED = 'This is too large to be answered exactly. Bars are estimates from weighted samples. The log '
    + 'evidence, the logarithm of the probability of what was observed, lies between the two bounds; the smaller their '
    + 'gap, the better is what was found.';
