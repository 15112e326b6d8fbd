'use strict';

/** The page of a run's folder, while it goes and afterwards. */
class RunPage {
  constructor(engine, model) {
    this.root = element('div', {class: 'page scrolling'}, element('header', {}, element('h1', {}, model.name)),
        element('main', {class: 'columns'}, runSection(engine, model.run)));
  }

  start() {}
}

/**
 * Figures of a run, read again every other second until it has ended. What did not change stays as it is, with the
 * focus, and is not read out again.
 */
function runSection(engine, first) {
  const status = element('p', {class: 'status', role: 'status'});
  const shown = element('div', {class: 'run'});
  const pictures = new Map();
  let before = '';
  const say = (text, problem) => {
    if (status.textContent !== text) status.textContent = text;
    status.classList.toggle('problem', problem);
  };
  const draw = run => {
    say(`${run.what}: ${run.status.toLowerCase()}` + (run.message ? ` (${run.message})` : '')
        + `, since ${run.started.slice(0, 19).replace('T', ' ')} UTC`, false);
    const now = JSON.stringify({...run, at: 0});
    if (now !== before) shown.replaceChildren(...drawn(run, pictures));
    before = now;
  };
  const later = () => setTimeout(async () => {
    try {
      const run = await engine.ask('run', {});
      draw(run);
      if (run.status === 'RUNNING') later();
    } catch (problem) {
      say(problem.message, true);
      later();
    }
  }, 2000);
  draw(first);
  if (first.status === 'RUNNING') later();
  return element('section', {'aria-label': 'Run', class: 'wide'}, element('h2', {}, 'The run'), status, shown,
      element('details', {}, element('summary', {}, 'How it was started'),
          element('dl', {}, Object.entries(first.configuration).flatMap(([name, value]) =>
              [element('dt', {}, name), element('dd', {}, value)]))));
}

/** Figures, and pictures, which are kept by name so that one is seen until the next is there. */
function drawn(run, pictures) {
  const parts = run.metrics.flatMap(metrics => curves(metrics, run.truth));
  if (run.metrics.length === 0 && run.status === 'RUNNING') parts.push(element('p', {}, 'No figures yet.'));
  const found = Object.entries(run.result ?? {});
  if (found.length > 0) parts.push(table('Result', ['figure', 'value'],
      found.map(([name, value]) => [name, Number.isInteger(value) ? String(value) : value])));
  parts.push(...run.pictures.map(name => {
    const picture = pictures.get(name) ?? element('img', {alt: name});
    pictures.set(name, picture);
    picture.src = `file/${encodeURIComponent(name)}?${run.at}`;
    return element('figure', {}, picture, element('figcaption', {}, name));
  }));
  if (run.marginals) {
    parts.push(table('Posterior marginals', ['variable', 'state', 'probability'], run.marginals.flatMap(each =>
        Object.entries(each.states).map(([state, p], k) => [k === 0 ? each.name : '', state, p]))));
  }
  return parts;
}

/** Bounds in one picture, every other figure in a small one of its own. */
function curves(metrics, truth) {
  const {columns, rows} = metrics;
  const x = ['epoch', 'step', 'iteration'].find(name => columns.includes(name)) ?? columns[0];
  const series = name => ({name, points: rows.map(row => [row[columns.indexOf(x)], row[columns.indexOf(name)]])
      .filter(point => point.every(Number.isFinite))});
  const bounds = columns.filter(name => /elbo|bound|lower|upper/i.test(name));
  const skipped = new Set([x, 'epoch', 'step', 'seconds', ...bounds]);
  const changing = columns.filter(name => !skipped.has(name)
      && new Set(rows.map(row => row[columns.indexOf(name)])).size > 1);
  const lines = bounds.map(series).filter(each => each.points.length > 0);
  return [element('h3', {}, metrics.name),
    ...(lines.length > 0 ? [chart('Bounds over ' + x, lines, x, truth)] : []),
    element('div', {class: 'small-charts'}, changing.map(name => chart(name, [series(name)], x, null)))];
}

/** Lines over one axis; a known limit is dashed. */
function chart(title, lines, x, truth) {
  const [width, height, left, bottom] = lines.length > 1 || truth !== null ? [640, 280, 74, 36] : [300, 170, 64, 34];
  const points = lines.flatMap(line => line.points);
  const range = values => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return high > low ? [low, high] : [low - 1, high + 1];
  };
  const [x0, x1] = range(points.map(point => point[0]));
  // first steps may be far below: what is shown begins where most of the curve is
  const ys = points.map(point => point[1]).sort((a, b) => a - b);
  const known = Number.isFinite(truth);
  const [y0, y1] = range([...ys.slice(Math.floor(ys.length / 20)), ...(known ? [truth] : [])]);
  const px = value => left + (value - x0) / (x1 - x0) * (width - left - 12);
  const py = value => 10 + (y1 - Math.max(value, y0)) / (y1 - y0) * (height - bottom - 10);
  const latest = lines.map(line => `${line.name} ${digits(line.points.at(-1)?.[1] ?? NaN)}`);
  const picture = shape('svg', {viewBox: `0 0 ${width} ${height}`, class: 'chart', role: 'img',
    'aria-label': `${title}: ${latest.join(', ')}`});
  for (const [value, y] of [[y0, py(y0)], [(y0 + y1) / 2, py((y0 + y1) / 2)], [y1, py(y1)]]) {
    picture.append(shape('line', {x1: left, x2: width - 12, y1: y, y2: y, class: 'gridline'}),
        shape('text', {x: left - 6, y: y + 4, 'text-anchor': 'end'}, value.toPrecision(5)));
  }
  picture.append(shape('text', {x: left, y: height - 8}, String(x0)),
      shape('text', {x: width - 12, y: height - 8, 'text-anchor': 'end'}, `${x} ${x1}`));
  if (known) {
    picture.append(shape('line', {x1: left, x2: width - 12, y1: py(truth), y2: py(truth), class: 'truth'}));
  }
  lines.forEach((line, i) => {
    picture.append(shape('polyline', {points: line.points.map(point => `${px(point[0])},${py(point[1])}`).join(' '),
      class: `line line${i % 4}`}, shape('title', {}, line.name)));
    line.points.length === 1 && picture.append(shape('circle', {cx: px(line.points[0][0]), cy: py(line.points[0][1]),
      r: 3, class: `dot line${i % 4}`}));
  });
  const named = lines.some(line => line.name === title);
  const legend = element('figcaption', {}, named ? '' : `${title}. `, lines.map((line, i) => element('span',
      {class: `key line${i % 4}`}, `${line.name} ${digits(line.points.at(-1)?.[1] ?? NaN)} `)),
  known ? element('span', {class: 'key truth'}, `exact ${digits(truth)}`) : null);
  const figure = element('figure', {class: 'curve'}, picture, legend);
  figure.dataset.points = points.length;
  return figure;
}
