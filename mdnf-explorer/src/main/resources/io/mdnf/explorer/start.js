'use strict';

/** What a page is of decides which page it is; a model inside the file means that nothing is asked of a server. */
(async () => {
  const inside = document.getElementById('model');
  try {
    const engine = inside === null ? new RemoteEngine() : new LocalEngine(JSON.parse(inside.textContent));
    const model = await engine.look();
    const kinds = {network: NetworkPage, autoencoder: AutoencoderPage, run: RunPage};
    const page = new kinds[model.kind](engine, model);
    document.title = `${model.name} · MDNF`;
    document.body.append(page.root);
    document.body.page = page;
    page.start();
  } catch (problem) {
    document.body.append(element('p', {class: 'problem', role: 'alert'}, problem.message));
    throw problem;
  }
})();
