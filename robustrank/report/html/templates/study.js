// The map of evidence: cells open in a dialog. Names come from data, so all text is set as text.
document.addEventListener("DOMContentLoaded", () => {
  const data = JSON.parse(document.getElementById("cells").textContent);
  const table = document.getElementById("evidence");
  const dialog = document.getElementById("cell");
  const part = (selector) => dialog.querySelector(selector);

  function make(tag, text, attributes = {}) {
    const element = document.createElement(tag);
    if (text !== null) element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  }

  function standings(block) {
    const models = make("table", null, { class: "plain" });
    models.append(make("caption", block.more ? `The ${block.rows.length} most consistent models, of ${block.rows.length + block.more}` : "All models, the most consistent first"));
    const head = models.createTHead().insertRow();
    for (const heading of ["Model", ...data.columns]) head.append(make("th", heading, { scope: "col" }));
    const body = models.createTBody();
    for (const [model, ...values] of block.rows) {
      const row = body.insertRow();
      row.append(make("th", data.names[model], { scope: "row" }), ...values.map((value) => make("td", value)));
    }
    return models;
  }

  function show(cell) {
    const block = cell.block === null ? null : data.blocks[cell.block];
    part("h2").textContent = cell.title.join(" × ");
    part(".strength").textContent = `${cell.level}, ESS ${cell.ess}: ${data.meanings[cell.level]}.`;
    const known = (terms, values) => terms.flatMap((term, i) => (values[i] === null ? [] : [[term, values[i]]]));
    part(".measures").replaceChildren(...known(data.measures, cell.measures).map(([term, value]) => {
      const group = make("div", null);
      group.append(make("dt", term), make("dd", value));
      return group;
    }));
    const remarks = known(data.remarks, cell.remarks);
    if (block) remarks.push(["Ranked on", block.datasets.join(", ")]);
    part(".facts").replaceChildren(...remarks.flatMap(([term, text]) => [make("dt", term), make("dd", text)]));
    part(".standings").replaceChildren(block ? standings(block) : make("p", "No two models could be ranked here."));
    part(".notes").replaceChildren(...(block ? block.notes : []).map(([code, message]) => {
      const item = make("li", null);
      item.append(make("code", code), " ", make("span", message));
      return item;
    }));
    dialog.showModal();
    dialog.scrollTop = 0;
  }

  table.addEventListener("click", (event) => {
    const button = event.target.closest("[data-cell]");
    if (button) show(data.cells[button.dataset.cell]);
  });
  part(".close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });

  // One cell at a time is a stop of the Tab key; arrow keys move to the next cell that opens.
  const buttons = table.querySelectorAll("[data-cell]");
  buttons.forEach((button, i) => { button.tabIndex = i ? -1 : 0; });
  table.addEventListener("focusin", ({ target }) => {
    if (!target.matches("[data-cell]")) return;
    for (const button of table.querySelectorAll('[data-cell][tabindex="0"]')) button.tabIndex = -1;
    target.tabIndex = 0;
  });
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  table.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (!step || !event.target.matches("[data-cell]")) return;
    event.preventDefault();
    const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden);
    let y = rows.indexOf(event.target.closest("tr"));
    let x = event.target.closest("td").cellIndex;
    for (;;) {
      y += step[0];
      x += step[1];
      const next = rows[y]?.cells[x];
      if (!next) return;
      const button = next.querySelector("[data-cell]");
      if (button) { button.focus(); return; }
    }
  });
  // A row that a filter hides may hold the stop: give it to the first that is left.
  document.querySelector('form[data-for="evidence"]').addEventListener("input", () => {
    const stop = table.querySelector('tr:not([hidden]) [data-cell][tabindex="0"]') ?? table.querySelector("tr:not([hidden]) [data-cell]");
    for (const button of table.querySelectorAll('[data-cell][tabindex="0"]')) button.tabIndex = -1;
    if (stop) stop.tabIndex = 0;
  });
});
