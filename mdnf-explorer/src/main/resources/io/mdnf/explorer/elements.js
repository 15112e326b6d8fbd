'use strict';
// Small helpers for elements. Text is always set as text, so names with markup are shown as they are.

/** element('button', {class: 'x', onclick: f, 'aria-label': 'y'}, 'text', child): an HTML element. */
function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same in SVG. */
function shape(name, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      made[key] = value;
    } else if (value === true) {
      made.setAttribute(key, '');
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(key, value);
    }
  }
  made.append(...children.flat().filter(child => child !== null && child !== undefined));
  return made;
}

/** A button with a word on it. */
function button(text, onclick, attributes = {}) {
  return element('button', {type: 'button', onclick, ...attributes}, text);
}

/** A table of rows of cells under a caption; columns that hold numbers are set to the right. */
function table(caption, columns, rows) {
  const numeric = columns.map((_, c) => rows.length > 0 && rows.every(row => typeof row[c] === 'number'));
  const cell = (name, value, c) => element(name, numeric[c] ? {class: 'number'} : {},
      typeof value === 'number' ? digits(value) : value);
  return element('table', {}, element('caption', {}, caption),
      element('thead', {}, element('tr', {}, columns.map((value, c) => cell('th', value, c)))),
      element('tbody', {}, rows.map(row => element('tr', {}, row.map((value, c) => cell('td', value, c))))));
}

/** A probability or a number of nats for a person. */
function digits(value) {
  if (!Number.isFinite(value)) {
    return value === null || Number.isNaN(value) ? '–' : value > 0 ? '∞' : '−∞';
  }
  // rounding leaves a little of what is 0
  const small = Math.abs(value) < 0.00005 && Math.abs(value) > 1e-12;
  return (small ? value.toExponential(1) : (value + 0).toFixed(4).replace(/^-(0\.0+)$/, '$1')).replace('-', '−');
}

function percent(p) {
  const value = 100 * p;
  return value > 0 && value < 0.05 ? '<0.1 %' : value < 100 && value > 99.95 ? '>99.9 %' : value.toFixed(1) + ' %';
}

/** Does one work at a time: of what is wanted meanwhile only the last is done. */
function latest(work) {
  let wanted = null;
  let busy = false;
  return async (...about) => {
    wanted = about;
    if (busy) return;
    busy = true;
    try {
      while (wanted !== null) {
        const now = wanted;
        wanted = null;
        await work(...now);
      }
    } finally {
      busy = false;
    }
  };
}

/** Hands a file to the browser. */
function download(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], {type}));
  const link = element('a', {href: url, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** A name as part of a file's name. */
function fileName(name, ending) {
  return (name.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|-+$/g, '') || 'network') + ending;
}
