'use strict';

/** The page of a trained autoencoder: a code and what it decodes to, images and their posteriors. */
class AutoencoderPage {
  #works = 0;

  /** Both follow a hand that is faster than they are. */
  decode = latest(() => this.#decode());
  show = latest(index => this.#show(index));

  constructor(engine, model) {
    this.engine = engine;
    this.model = model;
    this.code = model.start;
    this.picture = this.#canvas(8, 'What the code decodes to');
    this.status = element('p', {class: 'status', role: 'status'});
    this.sliders = this.code.map((_, d) => this.#slider(d));
    this.neighbours = element('div', {class: 'grid'});
    this.posterior = element('div', {class: 'later'});
    this.samples = element('div', {class: 'grid'});
    this.root = element('div', {class: 'page scrolling'},
        element('header', {}, element('h1', {}, model.name), element('p', {}, model.title)), this.status,
        element('main', {class: 'columns'},
            element('section', {'aria-label': 'Code'}, element('h2', {}, 'A code, and what it decodes to'),
                element('div', {class: 'decoded'}, this.picture), element('div', {class: 'tools'},
                    button('Draw a code from the prior', () => this.draw(1, codes => this.set(codes[0]))),
                    button('Its neighbours', () => this.showNeighbours())),
                element('div', {class: 'sliders'}, this.sliders.map(each => each.row)), this.neighbours),
            this.#images(), this.#priorSamples(), ...(model.run ? [runSection(engine, model.run)] : [])));
  }

  start() {
    this.set(this.code);
    if (this.model.images > 0) this.go(0);
    this.draw(this.model.shown);
  }

  #canvas(scale, label) {
    const {width, height} = this.model.shape;
    const canvas = element('canvas', {width, height, role: 'img', 'aria-label': label, class: 'image'});
    canvas.style.width = width * scale + 'px';
    return canvas;
  }

  /** Pixels, a byte each in base64, black on white. */
  #paint(canvas, pixels) {
    const bytes = Uint8Array.from(atob(pixels), c => c.charCodeAt(0));
    const image = new ImageData(canvas.width, canvas.height);
    bytes.forEach((value, i) => image.data.set([255 - value, 255 - value, 255 - value, 255], 4 * i));
    canvas.getContext('2d').putImageData(image, 0, 0);
    return canvas;
  }

  #slider(d) {
    const value = element('output', {}, String(this.code[d]));
    const field = element('input', {
      type: 'range', min: 0, max: this.model.categories - 1, step: 1, value: this.code[d],
      'aria-label': `Variable ${d + 1} of the code`,
      oninput: () => {
        this.code = this.code.with(d, Number(field.value));
        value.textContent = field.value;
        this.decode();
      },
    });
    return {field, value, row: element('label', {}, element('span', {}, `z${d + 1}`), field, value)};
  }

  set(code) {
    this.code = code.slice();
    this.sliders.forEach(({field, value}, d) => {
      field.value = code[d];
      value.textContent = code[d];
    });
    this.decode();
  }

  async #decode() {
    const {code} = this;
    await this.#working(async () => {
      const found = await this.engine.ask('decode', {codes: [code]});
      this.#paint(this.picture, found.images[0]);
      this.picture.dataset.code = code.join(' ');
    });
  }

  /** All codes that differ in one variable. */
  async showNeighbours() {
    const codes = this.code.flatMap((own, d) => Array.from({length: this.model.categories}, (_, k) => k)
        .filter(k => k !== own).map(k => this.code.with(d, k)));
    await this.#working(async () => {
      const found = await this.engine.ask('decode', {codes});
      this.#fillGrid(this.neighbours, 'Codes with one variable changed', codes, found.images, (code, i) => {
        const d = code.findIndex((k, e) => k !== this.code[e]);
        return `z${d + 1} = ${code[d]}`;
      });
    });
  }

  /** Pictures of codes; a click takes the code. */
  #fillGrid(grid, caption, codes, images, label) {
    grid.replaceChildren(element('h3', {}, caption), element('div', {class: 'pictures'}, codes.map((code, i) =>
        element('button', {type: 'button', class: 'picture', title: label(code, i), 'aria-label': label(code, i),
          onclick: () => this.set(code)}, this.#paint(this.#canvas(1.5, label(code, i)), images[i])))));
  }

  #images() {
    if (this.model.images === 0) {
      return element('section', {}, element('h2', {}, 'Images'), element('p', {}, this.model.noImages));
    }
    const number = element('input', {
      type: 'number', min: 1, max: this.model.images, value: 1, 'aria-label': 'Number of the image',
      onchange: () => this.go(Math.min(this.model.images, Math.max(1, Math.round(Number(number.value)) || 1)) - 1),
    });
    this.number = number;
    return element('section', {'aria-label': 'Images'}, element('h2', {}, 'An image and its posterior'),
        element('div', {class: 'tools'}, `Test image of ${this.model.images}: `, number,
            button('Previous', () => this.go(Math.max(0, number.value - 2))),
            button('Next', () => this.go(Math.min(this.model.images - 1, Number(number.value))))),
        this.posterior);
  }

  go(index) {
    this.number.value = index + 1;
    this.show(index);
  }

  async #show(index) {
    await this.#working(async () => {
      const found = await this.engine.ask('image', {index});
      this.posterior.replaceChildren(
          element('div', {class: 'pictures'}, element('figure', {}, this.#paint(this.#canvas(4, 'The image'),
              found.image), element('figcaption', {}, `label ${found.label}`)),
          found.codes.map((each, i) => element('figure', {}, element('button', {
            type: 'button', class: 'picture', onclick: () => this.set(each.code),
            'aria-label': `Code ${i + 1}, probability ${percent(each.probability)}: take it`,
          }, this.#paint(this.#canvas(4, 'Its reconstruction'), each.image)),
          element('figcaption', {}, percent(each.probability))))),
          element('p', {}, `${found.how} Marginals are ${found.exact ? 'exact' : 'estimated'}.`),
          this.#heat(found.marginals));
    });
  }

  /** q(z_d = k | x) as shades. */
  #heat(marginals) {
    return element('table', {class: 'heat'}, element('caption', {}, 'q(z = k | x) of each variable'),
        element('tbody', {}, marginals.map((row, d) => element('tr', {}, element('th', {scope: 'row'}, `z${d + 1}`),
            row.map((p, k) => {
              const cell = element('td', {title: `z${d + 1} = ${k}: ${percent(p)}`}, p >= 0.005 ? p.toFixed(2) : '');
              cell.style.setProperty('--p', p);
              return cell;
            })))));
  }

  #priorSamples() {
    const temperature = element('input', {type: 'range', min: 0.2, max: 1.5, step: 0.1, value: 1,
      'aria-label': 'Temperature', oninput: () => { shown.textContent = temperature.value; }});
    const shown = element('output', {}, '1');
    this.temperature = temperature;
    return element('section', {'aria-label': 'Samples'}, element('h2', {}, 'Drawn from the prior'),
        element('div', {class: 'tools'}, element('label', {}, 'Temperature ', temperature, shown),
            button('Draw again', () => this.draw(this.model.shown))), this.samples);
  }

  async draw(count, use = null) {
    await this.#working(async () => {
      const found = await this.engine.ask('draw', {count, temperature: Number(this.temperature.value)});
      if (use !== null) {
        use(found.codes);
      } else {
        this.#fillGrid(this.samples, 'A click takes the code', found.codes, found.images, code => code.join(' '));
      }
    });
  }

  async #working(work) {
    const waiting = setTimeout(() => this.#say('Working …'), 150);
    this.#works++;
    try {
      await work();
      if (this.#works === 1) this.#say('');
    } catch (problem) {
      this.#say(problem.message, true);
    } finally {
      clearTimeout(waiting);
      this.#works--;
    }
  }

  #say(text, problem = false) {
    this.status.textContent = text;
    this.status.classList.toggle('problem', problem);
  }
}
