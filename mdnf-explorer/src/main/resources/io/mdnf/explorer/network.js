'use strict';

/** The page of a network: evidence in, marginals out. */
class NetworkPage {
  #asked = 0;
  #abort = new AbortController();

  constructor(engine, model) {
    this.engine = engine;
    this.model = model;
    this.evidence = new Evidence(model.variables);
    this.evidence.onchange = () => this.answer();
    this.answerNow = null;
    this.current = false; // whether that is the answer to the evidence as it is now
    this.more = false;
    this.pinned = null;
    this.graph = new GraphView(model, {
      observe: (v, k) => this.evidence.toggle(v, k), soften: (v, k) => this.soften(v, k), select: v => this.select(v),
    });
    this.panel = new Panel(model, (question, about) => engine.ask(question, about, this.#abort.signal), {
      select: v => this.find(v), pin: () => this.pin(), unpin: () => this.unpin(),
      observe: (v, k) => this.evidence.toggle(v, k), soften: (v, k) => this.soften(v, k),
    });
    this.status = element('p', {class: 'status', role: 'status'});
    this.tools = this.#tools();
    this.root = element('div', {class: 'page'},
        button('Skip to the details', () => this.panel.body.focus(), {class: 'skip'}), element('header', {}, element('h1', {}, model.name), this.#searchField(), this.tools.bar), this.status,
        element('main', {}, this.graph.root, this.panel.root));
  }

  start() {
    this.graph.begin();
    this.answer();
    document.addEventListener('keydown', event => this.#onKey(event));
    addEventListener('pagehide', () => this.engine.cancel());
    addEventListener('beforeprint', () => this.#print());
  }

  #searchField() {
    const names = element('datalist', {id: 'names'}, this.model.variables.map(each => element('option',
        {value: each.name})));
    this.search = element('input', {
      type: 'search', placeholder: 'Search variables  /', 'aria-label': 'Search variables', list: 'names',
      oninput: () => { this.found = this.graph.search(this.search.value); },
      onkeydown: event => {
        if (event.key === 'Enter' && this.found?.length > 0) {
          this.find(this.found[0]);
          this.found.push(this.found.shift());
        } else if (event.key === 'Escape') {
          this.search.value = '';
          this.graph.search('');
        }
      },
    });
    return element('span', {class: 'search'}, this.search, names);
  }

  #tools() {
    const undo = button('Undo', () => this.evidence.undo(), {'aria-keyshortcuts': 'Control+Z'});
    const redo = button('Redo', () => this.evidence.redo(), {'aria-keyshortcuts': 'Control+Y'});
    const clear = button('Clear', () => this.evidence.clear());
    const fold = button('', () => {
      this.graph.foldAll(!this.graph.allFolded);
      this.#show();
    });
    const file = element('input', {type: 'file', accept: '.json,application/json', hidden: true,
      'aria-label': 'Evidence file', onchange: () => this.#load(file)});
    const bar = element('div', {class: 'tools', role: 'toolbar', 'aria-label': 'Tools'}, undo, redo, clear, fold,
        button('Save evidence', () => download(fileName(this.model.name, '-evidence.json'), 'application/json',
            JSON.stringify({network: this.model.name, ...this.evidence.named()}, null, 2) + '\n')),
        button('Load evidence', () => file.click()), file, this.#exports());
    return {bar, undo, redo, clear, fold};
  }

  #exports() {
    const name = this.model.name;
    const known = f => () => this.current && this.answerNow.marginals ? f()
        : this.say('There is no answer to this evidence to export.', true);
    const kinds = [
      ['Picture (SVG)', known(() => download(fileName(name, '.svg'), 'image/svg+xml', this.picture()))],
      ['Picture (PNG)', known(async () => download(fileName(name, '.png'), 'image/png', await pngOf(this.picture())))],
      ['Marginals (CSV)', known(() => download(fileName(name, '.csv'), 'text/csv', csvOf(this.model, this.answerNow)))],
      ['Answer (JSON)', known(() => download(fileName(name, '.json'), 'application/json', this.json()))],
      ...(this.engine.alone ? [['This page (HTML), answering by itself', () => this.#alone()]] : []),
      ['Command', () => this.#command()],
    ];
    const menu = element('details', {class: 'menu'}, element('summary', {}, 'Export'),
        element('div', {class: 'choices'}, kinds.map(([text, f]) => button(text, () => {
          menu.open = false;
          f();
        }))));
    menu.onkeydown = event => {
      if (event.key === 'Escape') {
        menu.open = false;
        menu.firstChild.focus();
      }
    };
    document.addEventListener('click', event => { if (!menu.contains(event.target)) menu.open = false; });
    return menu;
  }

  async #alone() {
    try {
      const {html} = await this.engine.alone();
      download(fileName(this.model.name, '.html'), 'text/html', html);
    } catch (problem) {
      this.say(problem.message, true);
    }
  }

  picture() {
    return pictureOf(this.graph, this.answerNow, this.evidence, `${this.model.name}: ${this.evidence.text()}`);
  }

  json() {
    const {answerNow: answer, model} = this;
    const byState = (v, values) => Object.fromEntries(values.map((p, k) => [model.variables[v].states[k], p]));
    const named = rows => Object.fromEntries(rows.map((row, v) => [model.variables[v].name, byState(v, row)]));
    return JSON.stringify({
      network: model.name, ...this.evidence.named(), exact: answer.exact, how: answer.how,
      logEvidence: {lower: answer.lower, upper: answer.upper},
      marginals: named(answer.marginals), ...(answer.errors ? {standardErrors: named(answer.errors)} : {}),
    }, null, 2) + '\n';
  }

  #command() {
    const {exact} = this.model;
    const command = this.evidence.command(this.model.source,
        {directed: this.model.directed, exact, seconds: this.answerNow?.seconds});
    this.#open(element('dialog', {'aria-label': 'Command'}, ...(command === null
        ? [element('p', {}, 'There is no command for this: soft evidence is taken by ‘mdnf bn query’ alone, which '
            + `is exact and for directed networks; this ${this.model.directed ? 'network is too large for it'
              : 'model has no directions'}. Export the answer (JSON) instead.`)]
        : [element('p', {}, exact ? 'This gives the same answer on the command line:'
            : 'This gives such an answer on the command line, between bounds, in about the same time:'),
          element('pre', {}, element('code', {}, command))]),
    element('form', {method: 'dialog', class: 'tools'}, command === null ? null
        : button('Copy', event => navigator.clipboard?.writeText(command)
            .then(() => { event.target.textContent = 'Copied'; })), element('button', {}, 'Close'))));
  }

  /** Paper has all of the network, whatever of it is in view. */
  #print() {
    this.root.querySelector('.printed')?.remove();
    const picture = new DOMParser().parseFromString(this.picture(), 'image/svg+xml').documentElement;
    picture.setAttribute('class', 'printed');
    this.graph.root.after(document.adoptNode(picture));
  }

  /** Shows a dialog; what it was closed with is used when the focus is back where it was. */
  #open(dialog, use = () => {}) {
    dialog.onclose = () => {
      dialog.remove();
      use(dialog.returnValue);
    };
    document.body.append(dialog);
    dialog.showModal();
  }

  async #load(file) {
    try {
      this.evidence.load(JSON.parse(await file.files[0].text()));
    } catch (problem) {
      this.say(`${file.files[0].name}: ${problem.message}`, true);
    }
    file.value = '';
  }

  /** Asks how likely what was seen is in each state of a variable. */
  soften(v, state) {
    const variable = this.model.variables[v];
    const now = this.evidence.soft.get(v) ?? variable.states.map((_, k) => k === state ? 0.8 : 0.2);
    const fields = variable.states.map((name, k) => {
      const shown = element('output', {}, String(now[k]));
      const field = element('input', {
        type: 'range', min: 0, max: 1, step: 0.01, value: now[k], 'aria-label': `Likelihood in state ${name}`,
        oninput: () => { shown.textContent = field.value; },
      });
      return {field, row: element('label', {title: name}, element('span', {}, name), field, shown)};
    });
    const dialog = element('dialog', {'aria-label': `Soft evidence of ${variable.name}`},
        element('h2', {}, variable.name),
        element('p', {}, 'How likely is what you saw, in each state? Only the proportions count.'),
        element('form', {method: 'dialog'}, fields.map(each => each.row),
        element('div', {class: 'tools'}, element('button', {value: 'apply'}, 'Apply'),
            this.evidence.has(v) ? element('button', {value: 'free'}, 'Take back') : null,
            element('button', {value: 'cancel'}, 'Cancel'))));
    this.#open(dialog, action => {
      const values = fields.map(each => Number(each.field.value));
      if (action === 'apply' && values.some(value => value > 0)) {
        this.evidence.soften(v, values);
      } else if (action === 'free') {
        this.evidence.free(v);
      }
    });
  }

  select(v) {
    this.graph.select(v);
    this.panel.select(v);
  }

  /** Brings a variable into view. */
  find(v) {
    this.select(v);
    this.graph.centre(v);
  }

  pin() {
    if (!this.current) return;
    this.pinned = {answer: this.answerNow, text: this.evidence.text()};
    this.#show();
  }

  unpin() {
    this.pinned = null;
    this.#show();
  }

  /** Asks for marginals given what was observed; better ones follow where the first were estimates. */
  async answer() {
    this.#abort.abort();
    this.#abort = new AbortController();
    const asked = ++this.#asked;
    const {signal} = this.#abort;
    this.current = false;
    const waiting = setTimeout(() => this.#wait(asked), 150);
    try {
      for (let effort = 0, more = true; more && asked === this.#asked; effort++) {
        const answer = await this.engine.ask('marginals', this.evidence.about({effort}), signal);
        if (asked !== this.#asked) return;
        this.answerNow = answer;
        this.current = true;
        more = this.more = answer.more === true;
        // of what is too large an estimate is all that is known before
        if (this.evidence.isEmpty && !this.model.exact) this.model.prior = answer.marginals;
        this.#show();
      }
    } catch (problem) {
      if (asked === this.#asked) {
        const cancelled = problem.name === 'AbortError';
        this.#abort = new AbortController();
        this.more = false;
        if (!cancelled && !this.current) this.answerNow = null;
        this.#show();
        if (!cancelled) {
          this.say(problem.message, true);
        } else if (!this.current) {
          this.say('Cancelled: the bars are those of before. Undo, or observe something else.', true);
        }
      }
    } finally {
      clearTimeout(waiting);
      if (asked === this.#asked) this.root.classList.remove('waiting');
    }
  }

  #wait(asked) {
    if (asked === this.#asked) {
      this.root.classList.add('waiting');
      this.say('Working …', false, true);
    }
  }

  #cancel() {
    this.#abort.abort();
    this.engine.cancel();
  }

  #show() {
    const {answerNow: answer, evidence, graph} = this;
    const may = {undo: evidence.canUndo, redo: evidence.canRedo, clear: !evidence.isEmpty};
    // a button that is disabled outright would lose the focus that it has
    Object.entries(may).forEach(([tool, can]) => this.tools[tool].setAttribute('aria-disabled', String(!can)));
    this.tools.fold.textContent = graph.allFolded ? 'Unfold all' : 'Fold all';
    graph.update(answer?.impossible ? null : answer, this.pinned, evidence);
    this.root.classList.toggle('stale', !this.current);
    this.panel.update(this.current ? answer : null, evidence, this.pinned);
    if (!this.current) return;
    if (answer.impossible) {
      this.say(`${evidence.text()}: this has probability 0. Take something back.`, true);
    } else {
      const known = answer.exact ? badge('exact', 'exact', Panel.EXACT)
          : badge(`estimated, ± ${percent(largest(answer.errors))}`, 'estimated', Panel.ESTIMATED);
      const found = answer.exact ? `log evidence ${digits(answer.lower)}`
          : `log evidence between ${digits(answer.lower)} and ${digits(answer.upper)}`;
      this.say([known, ' ', evidence.isEmpty ? 'nothing observed yet: click a state to observe it' : evidence.text(),
        evidence.isEmpty && answer.exact ? '' : ` · ${found}`], false, this.more);
    }
  }

  /** One line above the network. */
  say(parts, problem = false, working = false) {
    this.status.replaceChildren(...[parts].flat(), ...(working ? [' ', element('span', {class: 'spinner'},
        this.current ? '· improving' : ''), button('Cancel', () => this.#cancel())] : []));
    this.status.classList.toggle('problem', problem);
  }

  #onKey(event) {
    if (event.target.closest?.('input, select, dialog')) return;
    const control = event.ctrlKey || event.metaKey;
    if (control && event.key === 'z' && !event.shiftKey) {
      this.evidence.undo();
      event.preventDefault();
    } else if (control && (event.key === 'y' || event.key === 'Z')) {
      this.evidence.redo();
      event.preventDefault();
    } else if (event.key === '/') {
      this.search.focus();
      event.preventDefault();
    }
  }
}

/** A word that says of what kind an answer is, with what that means. */
function badge(text, kind, meaning) {
  return element('span', {class: 'badge ' + kind, title: meaning}, text);
}

function largest(rows) {
  return Math.max(0, ...rows.map(row => Math.max(...row)));
}
