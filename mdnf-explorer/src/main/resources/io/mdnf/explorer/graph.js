'use strict';

/** Marginals of two cases side by side, and the prior: what a bar of a state is labelled with. */
function barLabel(state, p, prior, other, observed) {
  return `${state}: ${p === null ? 'not known' : percent(p)}`
      + (prior === null ? '' : `, before ${percent(prior)}`) + (other === null ? '' : `, pinned ${percent(other)}`)
      + (observed ? ', observed' : '');
}

/** The network as boxes with a bar for each state, and arcs; it can be zoomed, moved, folded and searched. */
class GraphView {
  #scale = 1;
  #x = 0;
  #y = 0;
  #pointers = new Map();
  #pressed = null; // where a pointer went down on a button, until it is clear that it drags
  #dragged = false;

  /** Handlers: observe(variable, state), soften(variable, state), select(variable). */
  constructor(model, handlers) {
    this.model = model;
    this.handlers = handlers;
    this.folded = model.variables.map(() => model.variables.length > GraphView.OPEN);
    this.allFolded = model.variables.length > GraphView.OPEN;
    this.selected = -1;
    this.lines = shape('svg', {class: 'arcs', 'aria-hidden': 'true'});
    this.nodes = model.variables.map((variable, v) => this.#node(variable, v));
    this.plane = element('div', {class: 'plane'}, this.lines, this.nodes.map(node => node.box));
    this.legend = element('p', {class: 'legend'}, element('span', {class: 'now'}, 'now'),
        element('span', {class: 'before'}, 'before'), element('span', {class: 'seen'}, 'observed'),
        element('span', {class: 'pinned'}, 'pinned'), element('span', {class: 'tells'}, 'stronger link'));
    this.root = element('section', {class: 'graph', 'aria-label': 'Network', tabindex: '0'}, this.plane, this.legend,
        element('div', {class: 'zoom', role: 'group', 'aria-label': 'Zoom'},
            button('+', () => this.zoom(1.25), {'aria-label': 'Zoom in'}),
            button('−', () => this.zoom(0.8), {'aria-label': 'Zoom out'}),
            button('Fit', () => this.fit(), {'aria-label': 'Show the whole network'})));
    this.#listen();
    this.#place();
  }

  get layout() {
    return this.allFolded ? this.model.layouts.folded : this.model.layouts.open;
  }

  #node(variable, v) {
    const bars = variable.states.map((state, k) => {
      const parts = {
        fill: element('span', {class: 'fill'}), other: element('span', {class: 'other'}),
        prior: element('span', {class: 'prior'}), value: element('span', {class: 'value'}),
      };
      const bar = element('button', {
        type: 'button', class: 'bar', tabindex: k === 0 ? '0' : '-1', title: state,
        onclick: event => event.shiftKey ? this.handlers.soften(v, k) : this.handlers.observe(v, k),
        onkeydown: event => this.#onBarKey(event, v, k),
      }, element('span', {class: 'state'}, state),
      element('span', {class: 'track'}, parts.fill, parts.other, parts.prior), parts.value);
      return {bar, ...parts};
    });
    const top = element('button', {type: 'button', class: 'top', onclick: () => this.fold(v, false)});
    const fold = button('', () => this.fold(v, !this.folded[v]), {class: 'fold'});
    const box = element('div', {class: 'node', role: 'group', 'aria-label': variable.name},
        element('div', {class: 'head'},
            button(variable.name, () => this.handlers.select(v), {class: 'name', title: variable.name}), fold),
        top, element('div', {class: bars.length > GraphView.BARS ? 'bars long' : 'bars'}, bars.map(each => each.bar)));
    return {box, bars, top, fold};
  }

  /** Boxes and arcs go where the layout has them. */
  #place() {
    const layout = this.layout;
    this.plane.style.width = layout.width + 'px';
    this.plane.style.height = layout.height + 'px';
    this.lines.setAttribute('width', layout.width);
    this.lines.setAttribute('height', layout.height);
    this.lines.replaceChildren(shape('defs', {}, shape('marker', {
      id: 'head', viewBox: '0 0 10 10', refX: 9, refY: 5, markerWidth: 9, markerHeight: 9, orient: 'auto',
      markerUnits: 'userSpaceOnUse',
    }, shape('path', {d: 'M0 0 10 5 0 10z'}))));
    this.arcs = this.model.arcs.map(([from, to], a) => {
      const line = shape('path', {
        d: 'M' + layout.arcs[a].map(point => point.join(' ')).join('L'), class: 'arc',
        'marker-end': this.model.directed ? 'url(#head)' : null,
      });
      this.lines.append(line);
      return line;
    });
    // a thin line is hard to meet
    this.names = this.arcs.map((line, a) => {
      const name = shape('title', {}, this.#arcName(...this.model.arcs[a]));
      this.lines.append(shape('path', {d: line.getAttribute('d'), class: 'near'}, name));
      return name;
    });
    this.nodes.forEach((node, v) => {
      const [x, y, width, height] = layout.boxes[v];
      Object.assign(node.box.style, {left: x + 'px', top: y + 'px', width: width + 'px', minHeight: height + 'px'});
      this.#showFold(v);
    });
  }

  #arcName(from, to) {
    const names = this.model.variables;
    return `${names[from].name} ${this.model.directed ? '→' : '–'} ${names[to].name}`;
  }

  #showFold(v) {
    const {box, fold, top} = this.nodes[v];
    const folded = this.folded[v];
    box.classList.toggle('folded', folded);
    box.classList.toggle('raised', this.allFolded && !folded);
    fold.textContent = folded ? '▸' : '▾';
    fold.setAttribute('aria-expanded', String(!folded));
    fold.setAttribute('aria-label', `${folded ? 'Unfold' : 'Fold'} ${this.model.variables[v].name}`);
    top.hidden = !folded;
  }

  fold(v, folded) {
    this.folded[v] = folded;
    this.#showFold(v);
    if (!folded) this.nodes[v].bars[0].bar.focus({preventScroll: true});
  }

  foldAll(folded) {
    this.allFolded = folded;
    this.folded.fill(folded);
    this.#place();
    this.begin();
  }

  /** Shows an answer, or null where there is none; a pinned one beside it. */
  update(answer, pinned, evidence) {
    this.nodes.forEach((node, v) => {
      const observed = evidence.hard.get(v);
      node.box.classList.toggle('observed', observed !== undefined);
      node.box.classList.toggle('soft', evidence.soft.has(v));
      const p = answer?.marginals?.[v] ?? null;
      const states = this.model.variables[v].states;
      node.bars.forEach((bar, k) => {
        const value = p === null ? null : p[k];
        const prior = this.model.prior?.[v]?.[k] ?? null;
        const other = pinned?.answer.marginals[v][k] ?? null;
        bar.bar.setAttribute('aria-pressed', String(observed === k));
        bar.bar.setAttribute('aria-label', barLabel(states[k], value, prior, other, observed === k));
        bar.fill.style.width = 100 * (value ?? 0) + '%';
        bar.prior.hidden = prior === null;
        bar.prior.style.left = 100 * (prior ?? 0) + '%';
        bar.other.hidden = other === null;
        bar.other.style.width = 100 * (other ?? 0) + '%';
        bar.value.textContent = value === null ? '–' : percent(value);
      });
      const best = p === null ? 0 : p.indexOf(Math.max(...p));
      node.top.textContent = p === null ? '–' : `${states[best]} ${percent(p[best])}`;
      node.top.style.setProperty('--p', p === null ? 0 : p[best]);
      node.top.style.setProperty('--before', this.model.prior?.[v]?.[best] ?? -1); // out of sight
      node.top.setAttribute('aria-label',
          `${this.model.variables[v].name}: most probable ${node.top.textContent}; unfold`);
    });
    this.root.classList.toggle('unknown', !answer?.marginals);
    this.legend.children[1].hidden = this.model.prior === null;
    this.legend.children[3].hidden = pinned === null;
    this.legend.lastChild.hidden = !answer?.couplings;
    this.#updateArcs(answer?.couplings ?? null);
  }

  /** Arcs are as wide as what their ends tell of each other. */
  #updateArcs(couplings) {
    const nats = new Map((couplings ?? []).map(([a, b, value]) => [Math.min(a, b) + ',' + Math.max(a, b), value]));
    this.model.arcs.forEach(([from, to], a) => {
      const value = nats.get(Math.min(from, to) + ',' + Math.max(from, to));
      this.arcs[a].style.strokeWidth = value === undefined ? 1.5 : 0.8 + 7 * Math.sqrt(Math.min(1, value));
      this.names[a].textContent = this.#arcName(from, to)
          + (value === undefined ? '' : `: ${digits(value)} nats`);
    });
  }

  select(v) {
    this.selected = v;
    this.nodes.forEach((node, w) => node.box.classList.toggle('selected', w === v));
    this.model.arcs.forEach(([from, to], a) => this.arcs[a].classList.toggle('touched', from === v || to === v));
  }

  /** Marks the variables whose names hold a text; returns their positions. */
  search(text) {
    const wanted = text.trim().toLowerCase();
    const found = [];
    this.nodes.forEach((node, v) => {
      const hit = wanted !== '' && this.model.variables[v].name.toLowerCase().includes(wanted);
      node.box.classList.toggle('found', hit);
      node.box.classList.toggle('dim', wanted !== '' && !hit);
      if (hit) found.push(v);
    });
    return found;
  }

  /** Moves a box into the middle. */
  centre(v) {
    const [x, y, width, height] = this.layout.boxes[v];
    this.#scale = Math.max(this.#scale, GraphView.READABLE);
    this.#x = this.root.clientWidth / 2 - (x + width / 2) * this.#scale;
    this.#y = this.root.clientHeight / 2 - (y + height / 2) * this.#scale;
    this.#transform();
  }

  /** Where boxes may be: not at the edges, nor under the legend. */
  get #room() {
    return {width: this.root.clientWidth - 24, height: this.root.clientHeight - 24 - GraphView.LEGEND};
  }

  /** Shows all of it, but no smaller than a scale. */
  fit(least = 0) {
    const {width, height} = this.layout;
    const room = this.#room;
    this.#scale = Math.max(least, Math.min(1.2, room.width / width, room.height / height));
    this.#x = 12 + (room.width - width * this.#scale) / 2;
    this.#y = 12 + Math.max(0, (room.height - height * this.#scale) / 2);
    this.#transform();
  }

  /** Shows all of it if that can be read; else its top, where most boxes are seen whole. */
  begin() {
    const {boxes, width, height} = this.layout;
    const room = this.#room;
    this.fit(Math.min(room.width / width, room.height / height) < GraphView.SMALLEST ? GraphView.READABLE : 0);
    const [wide, high] = [room.width / this.#scale, room.height / this.#scale];
    if (width <= wide) return;
    const upper = boxes.filter(box => box[1] + box[3] <= high);
    const seen = left => upper.filter(box => box[0] >= left && box[0] + box[2] <= left + wide).length;
    const middle = (width - wide) / 2;
    // of equal views the one nearest to the middle
    const left = upper.map(box => Math.min(box[0], width - wide)).reduce((best, each) =>
        (seen(each) - seen(best) || Math.abs(best - middle) - Math.abs(each - middle)) > 0 ? each : best, 0);
    this.#x = 12 - left * this.#scale;
    this.#transform();
  }

  zoom(factor, x = this.root.clientWidth / 2, y = this.root.clientHeight / 2) {
    const next = Math.min(3, Math.max(0.05, this.#scale * factor));
    this.#x = x - (x - this.#x) * next / this.#scale;
    this.#y = y - (y - this.#y) * next / this.#scale;
    this.#scale = next;
    this.#transform();
  }

  #move(dx, dy) {
    this.#x += dx;
    this.#y += dy;
    this.#transform();
  }

  #transform() {
    this.plane.style.transform = `translate(${this.#x}px, ${this.#y}px) scale(${this.#scale})`;
  }

  #listen() {
    const at = event => {
      const box = this.root.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    this.root.addEventListener('wheel', event => {
      if (event.target.closest('.bars.long') && !event.ctrlKey) return; // many states are scrolled
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), ...at(event));
    }, {passive: false});
    this.root.addEventListener('pointerdown', event => {
      if (event.button !== 0 || event.target.matches('.bars.long') || event.target.closest('.zoom')) return;
      this.#pointers.set(event.pointerId, at(event));
      this.#pressed = event.target.closest('button') && this.#pointers.size === 1 ? at(event) : null;
      this.#dragged = false;
      if (this.#pressed === null) this.root.setPointerCapture(event.pointerId);
    });
    this.root.addEventListener('pointermove', event => {
      const before = this.#pointers.get(event.pointerId);
      if (before === undefined) return;
      if (event.buttons === 0) { // let go elsewhere
        this.#pointers.delete(event.pointerId);
        return;
      }
      const now = at(event);
      if (this.#pressed !== null) {
        if (Math.hypot(now[0] - this.#pressed[0], now[1] - this.#pressed[1]) < GraphView.STILL) return;
        this.#pressed = null;
        this.#dragged = true;
        this.root.setPointerCapture(event.pointerId);
      }
      const others = [...this.#pointers].filter(([id]) => id !== event.pointerId);
      if (others.length === 0) {
        this.#move(now[0] - before[0], now[1] - before[1]);
      } else {
        const [, still] = others[0];
        const distance = point => Math.max(1, Math.hypot(point[0] - still[0], point[1] - still[1]));
        this.zoom(distance(now) / distance(before), ...still);
        this.#dragged = true;
      }
      this.#pointers.set(event.pointerId, now);
    });
    for (const name of ['pointerup', 'pointercancel']) {
      this.root.addEventListener(name, event => this.#pointers.delete(event.pointerId));
    }
    // a drag that began on a box is no click
    this.root.addEventListener('click', event => {
      if (this.#dragged && event.detail > 0) event.stopPropagation();
      this.#dragged = false;
    }, true);
    this.root.addEventListener('keydown', event => {
      if (event.target !== this.root) return;
      const moves = {ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60]};
      if (event.key in moves) {
        this.#move(...moves[event.key]);
        event.preventDefault();
      } else if (event.key === '+' || event.key === '-') {
        this.zoom(event.key === '+' ? 1.25 : 0.8);
      } else if (event.key === '0') {
        this.fit();
      }
    });
    // what gets the keyboard's focus is brought into view
    this.root.addEventListener('focusin', event => {
      this.root.scrollTo(0, 0);
      const v = this.nodes.findIndex(node => node.box.contains(event.target));
      const seen = this.root.getBoundingClientRect();
      const box = event.target.getBoundingClientRect();
      if (v >= 0 && event.target.matches(':focus-visible') && (box.left < seen.left || box.right > seen.right
          || box.top < seen.top || box.bottom > seen.bottom)) {
        this.centre(v);
      }
    });
  }

  #onBarKey(event, v, k) {
    const bars = this.nodes[v].bars;
    const to = {ArrowDown: k + 1, ArrowUp: k - 1, Home: 0, End: bars.length - 1}[event.key];
    if (to !== undefined) {
      bars[(to + bars.length) % bars.length].bar.focus();
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 's') {
      this.handlers.soften(v, k);
      event.preventDefault();
    }
  }
}

/** With more variables boxes are folded at first. */
GraphView.OPEN = 24;
/** The scale at which text is read with ease, and the smallest for which all can be seen at once instead. */
GraphView.READABLE = 0.8;
GraphView.SMALLEST = 0.7;
/** The height of the legend and of the buttons beside it. */
GraphView.LEGEND = 36;
/** A box has room for so many bars; more are scrolled. */
GraphView.BARS = 10;
/** A pointer that moves less is held still, in pixels. */
GraphView.STILL = 6;
