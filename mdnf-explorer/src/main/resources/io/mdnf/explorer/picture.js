'use strict';
// The network with its bars as a picture: SVG, and PNG drawn from it.

/** An SVG of what the graph shows, with colours of its own, so that it stands alone. */
function pictureOf(graph, answer, evidence, title) {
  const {layout, model} = graph;
  const margin = 16;
  const top = 44;
  const ink = '#1a1a1a';
  const fonts = 'system-ui, sans-serif';
  const text = (x, y, size, content, more = {}) => shape('text', {x, y, 'font-size': size, fill: ink, ...more}, content);
  const picture = shape('svg', {
    xmlns: 'http://www.w3.org/2000/svg', width: layout.width + 2 * margin, height: layout.height + top + margin,
    viewBox: `0 0 ${layout.width + 2 * margin} ${layout.height + top + margin}`, 'font-family': fonts,
  }, shape('title', {}, title), shape('rect', {width: '100%', height: '100%', fill: '#ffffff'}),
  text(margin, 28, 15, title));
  const inner = shape('g', {transform: `translate(${margin} ${top})`});
  inner.append(shape('defs', {}, shape('marker', {
    id: 'tip', viewBox: '0 0 10 10', refX: 9, refY: 5, markerWidth: 9, markerHeight: 9, orient: 'auto',
    markerUnits: 'userSpaceOnUse',
  }, shape('path', {d: 'M0 0 10 5 0 10z', fill: '#777777'}))));
  graph.arcs.forEach(arc => inner.append(shape('path', {
    d: arc.getAttribute('d'), fill: 'none', stroke: '#777777', 'stroke-width': arc.style.strokeWidth || 1.5,
    'marker-end': model.directed ? 'url(#tip)' : null,
  })));
  model.variables.forEach((variable, v) => {
    const [x, y, width, height] = layout.boxes[v];
    const observed = evidence.hard.get(v);
    const box = shape('g', {transform: `translate(${x} ${y})`}, shape('rect', {
      width, height, rx: 5, fill: observed !== undefined ? '#fff1d6' : '#f4f6f8',
      stroke: evidence.has(v) ? '#b35900' : '#9aa4ad',
    }), text(8, 17, 12, clipped(variable.name, (width - 16) / 7.8), {'font-weight': 600}));
    const p = answer?.marginals?.[v] ?? null;
    const rows = graph.allFolded ? (p === null ? [] : [p.indexOf(Math.max(...p))])
        : variable.states.map((_, k) => k).slice(0, Math.floor((height - 26) / 20));
    rows.forEach((k, row) => {
      const at = 26 + 20 * row;
      const track = width - 134;
      box.append(text(8, at + 12, 11, clipped(variable.states[k], 9)));
      if (p !== null) {
        box.append(shape('rect', {x: 74, y: at + 2, width: track, height: 13, fill: '#e1e6ea'}),
            shape('rect', {x: 74, y: at + 2, width: track * p[k], height: 13,
              fill: observed === k ? '#d55e00' : '#0072b2'}),
            text(width - 8, at + 12, 11, percent(p[k]), {'text-anchor': 'end'}));
        if (model.prior) {
          const prior = 74 + track * model.prior[v][k];
          box.append(shape('line', {x1: prior, x2: prior, y1: at, y2: at + 17, stroke: ink, 'stroke-width': 1.2}));
        }
      }
    });
    inner.append(box);
  });
  picture.append(inner);
  return new XMLSerializer().serializeToString(picture);
}

function clipped(text, letters) {
  return text.length > letters ? text.slice(0, Math.max(1, Math.floor(letters) - 1)) + '…' : text;
}

/** The picture as PNG, at twice the size where that is not too large. */
async function pngOf(svg) {
  const url = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.min(2, 12000 / Math.max(image.width, image.height));
    const canvas = element('canvas', {width: Math.ceil(image.width * scale), height: Math.ceil(image.height * scale)});
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise(resolve => canvas.toBlob(resolve, 'image/png'));
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** variable,state,prior,probability[,standardError] */
function csvOf(model, answer) {
  const quoted = value => /[",\r\n]/.test(value) ? '"' + value.replace(/"/g, '""') + '"' : value;
  const errors = answer.errors ?? null;
  const lines = ['variable,state,prior,probability' + (errors ? ',standardError' : '')];
  model.variables.forEach((variable, v) => variable.states.forEach((state, k) => lines.push([quoted(variable.name),
    quoted(state), model.prior ? model.prior[v][k] : '', answer.marginals[v][k], ...(errors ? [errors[v][k]] : [])]
      .join(','))));
  return lines.join('\r\n') + '\r\n';
}
