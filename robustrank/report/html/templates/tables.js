// Tables: sorting by a column, filtering of rows, rows that unfold. A unit of a table is what moves
// and hides as one: a row, or a body of rows.
document.addEventListener("DOMContentLoaded", () => {
  const byName = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const units = (table) => (table.dataset.unit === "body" ? [...table.tBodies] : [...table.tBodies[0].rows]);
  const firstRow = (unit) => (unit.rows ? unit.rows[0] : unit);

  function sort(table, header, direction) {
    const column = header.cellIndex;
    const isText = header.dataset.kind === "text";
    const sign = direction === "ascending" ? 1 : -1;
    const value = (unit) => {
      const cell = firstRow(unit).cells[column];
      if (isText) return cell.textContent.trim();
      return cell.dataset.sort === "" ? NaN : Number(cell.dataset.sort);
    };
    const compare = ([a], [b]) => {
      if (isText) return sign * byName.compare(a, b);
      if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
      return sign * (a - b);
    };
    const sorted = units(table).map((unit) => [value(unit), unit]).sort(compare);
    const home = table.dataset.unit === "body" ? table : table.tBodies[0];
    home.append(...sorted.map(([, unit]) => unit));
    for (const other of header.parentElement.cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", direction);
    table.dataset.sorted = column;
  }

  for (const header of document.querySelectorAll("th[data-first]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => {
      const now = header.getAttribute("aria-sort");
      const turned = now === "ascending" ? "descending" : "ascending";
      sort(header.closest("table"), header, now ? turned : header.dataset.first);
    });
  }

  const passes = {
    name: (unit, wanted) => unit.querySelector(".name").textContent.toLowerCase().includes(wanted.trim().toLowerCase()),
    tier: (unit, wanted) => unit.dataset.tier === wanted,
    least: (unit, wanted) => Number(unit.dataset.least) >= Number(wanted),
  };
  for (const form of document.querySelectorAll("form[data-for]")) {
    const table = document.getElementById(form.dataset.for);
    const controls = [...form.querySelectorAll("[data-filter]")];
    const output = form.querySelector("output");
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => {
      const all = units(table);
      const asked = controls.filter((control) => control.value.trim() !== "");
      for (const unit of all) unit.hidden = !asked.every((control) => passes[control.dataset.filter](unit, control.value));
      const shown = all.filter((unit) => !unit.hidden).length;
      output.textContent = `${shown === all.length ? "" : `${shown} of `}${all.length} ${output.dataset.count}`;
    });
    form.querySelector(".widen")?.addEventListener("click", ({ currentTarget: button }) => {
      const wide = !table.classList.toggle("compact");
      button.setAttribute("aria-pressed", wide);
    });
  }

  for (const button of document.querySelectorAll(".expand")) {
    button.addEventListener("click", () => {
      const open = button.closest("tbody").classList.toggle("open");
      button.setAttribute("aria-expanded", open);
    });
  }
});
