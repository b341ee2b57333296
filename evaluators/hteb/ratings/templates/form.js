"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const { form, key, criteria } = document.body.dataset;
  const columns = criteria.split(" ");
  const groups = [...document.querySelectorAll("fieldset[data-item]")];
  const radios = (group) => [...group.querySelectorAll("input")];
  const chosen = (group) => group.querySelector("input:checked");
  const rater = document.getElementById("rater");
  const message = document.getElementById("message");
  const sure = document.getElementById("sure");
  const place = `hteb-survey-${key}`;

  function say(text) { message.textContent = text; }

  // Some browsers keep nothing for pages from disk: the rater must know before closing the page.
  function stored(work) {
    try {
      return work(window.localStorage);
    } catch {
      say("This browser keeps no answers: save them before you close the page.");
      return null;
    }
  }

  // What was kept, whichever tab kept it; a damaged entry is none.
  function kept() {
    const text = stored((storage) => storage.getItem(place));
    try {
      const { rater: name, answers } = JSON.parse(text) ?? {};
      return { rater: String(name ?? ""), answers: { ...answers } };
    } catch {
      say("The answers that this browser kept are damaged: please answer again.");
      return { rater: "", answers: {} };
    }
  }

  // One answer at a time, so that a form that is open in two tabs loses none.
  function keep(name, value) {
    const { rater: before, answers } = kept();
    if (name) answers[name] = value;
    const now = { rater: name ? before : rater.value, answers };
    stored((storage) => storage.setItem(place, JSON.stringify(now)));
  }

  function recall() {
    const { rater: name, answers } = kept();
    rater.value = name;
    for (const group of groups) {
      for (const radio of radios(group)) radio.checked = answers[radio.name] === radio.value;
    }
    tell();
  }

  function tell() {
    const done = groups.filter(chosen).length;
    document.getElementById("count").textContent = `${done} of ${groups.length} answered`;
    document.querySelector(".bar i").style.width = `${(100 * done) / groups.length}%`;
  }

  function enter(group) {
    (chosen(group) ?? radios(group)[0]).focus();
  }

  function nextOpen() {
    const open = groups.find((group) => !chosen(group));
    if (open) {
      open.classList.add("open");
      enter(open);
      say("");
    } else say("Every question is answered.");
    return open;
  }

  function quoted(value) {
    return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  }

  function table() {
    const rows = new Map();
    for (const group of groups) {
      const { item, criterion } = group.dataset;
      if (!rows.has(item)) rows.set(item, new Map());
      rows.get(item).set(criterion, chosen(group)?.value ?? "");
    }
    const name = rater.value.trim();
    const lines = [["item", "rater", ...columns]];
    for (const [item, answers] of rows) lines.push([item, name, ...columns.map((column) => answers.get(column))]);
    return lines.map((line) => line.map(quoted).join(",")).join("\r\n") + "\r\n";
  }

  function save() {
    const name = rater.value.trim();
    if (!name) {
      say("Give your name or code first: answers without one cannot be told apart.");
      rater.focus();
      return;
    }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([table()], { type: "text/csv" }));
    link.download = `${form}-${name.replace(/[^\p{L}\p{N}]+/gu, "_")}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    const open = groups.filter((group) => !chosen(group)).length;
    say(open ? `Saved; ${open} of ${groups.length} questions are open.` : "Saved, complete. Hand in the file.");
  }

  document.addEventListener("change", ({ target }) => {
    if (target.type !== "radio") return;
    target.closest("fieldset").classList.remove("open");
    keep(target.name, target.value);
    tell();
  });
  rater.addEventListener("input", () => keep());
  // Another tab with this form has kept or deleted something.
  window.addEventListener("storage", ({ key: changed }) => {
    if (changed === place || changed === null) recall();
  });

  // A digit answers and goes on; in the field of the name it is a digit.
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || target.type !== "radio") return;
    const group = target.closest("fieldset");
    const radio = radios(group).find(({ value }) => value === event.key);
    if (!radio) return;
    event.preventDefault();
    radio.checked = true;
    radio.dispatchEvent(new Event("change", { bubbles: true }));
    const following = groups[groups.indexOf(group) + 1];
    if (following) enter(following);
    else radio.focus();
  });

  document.getElementById("next").addEventListener("click", nextOpen);
  document.getElementById("save").addEventListener("click", save);
  document.getElementById("restart").addEventListener("click", () => sure.showModal());
  document.getElementById("keep").addEventListener("click", () => sure.close());
  document.getElementById("delete").addEventListener("click", () => {
    for (const group of groups) {
      group.classList.remove("open");
      for (const radio of radios(group)) radio.checked = false;
    }
    rater.value = "";
    stored((storage) => storage.removeItem(place));
    sure.close();
    tell();
    say("All answers are deleted.");
    rater.focus();
  });
  recall();
});
