"use strict";
// Tables can be sorted by their headings, and long ones filtered. Without scripts they are shown as
// they are.
const collator = new Intl.Collator("en", { numeric: true });
const FILTERED_FROM = 30;

// A number, or null where there is none; numbers of the page carry their value if they do not show it.
function numberOf(cell) {
  const value = Number(cell.dataset.value ?? cell.textContent.replace("\u2212", "-"));
  return Number.isNaN(value) || cell.textContent === "" ? null : value;
}

function compare(numeric) {
  if (!numeric) return (one, other) => collator.compare(one, other);
  return (one, other) => one - other;
}

// Missing values come last in both directions; equal ones keep their order.
function sort(table, place, descending) {
  const numeric = table.tHead.rows[0].cells[place].classList.contains("number");
  const body = table.tBodies[0];
  const rows = Array.from(body.rows, (row) => {
    const cell = row.cells[place];
    return { row, key: numeric ? numberOf(cell) : cell.textContent };
  });
  const order = compare(numeric);
  rows.sort((one, other) => {
    if (one.key === null || other.key === null) return (one.key === null) - (other.key === null);
    return descending ? order(other.key, one.key) : order(one.key, other.key);
  });
  body.replaceChildren(...rows.map(({ row }) => row));
}

function makeSortable(table) {
  const headings = Array.from(table.tHead.rows[0].cells);
  headings.forEach((heading, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const descending = heading.getAttribute("aria-sort") === "ascending";
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
      sort(table, place, descending);
    });
  });
}

function makeFilter(table) {
  const rows = Array.from(table.tBodies[0].rows);
  if (rows.length < FILTERED_FROM) return;
  const label = document.createElement("label");
  const input = document.createElement("input");
  const count = document.createElement("span");
  input.type = "search";
  count.setAttribute("role", "status");
  label.append("Rows with ", input);
  const line = document.createElement("p");
  line.className = "filter";
  line.append(label, " ", count);
  table.closest(".scroll").before(line);
  const texts = rows.map((row) => row.textContent.toLowerCase());
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase().split(/\s+/);
    let shown = 0;
    rows.forEach((row, place) => {
      row.hidden = !wanted.every((word) => texts[place].includes(word));
      shown += !row.hidden;
    });
    count.textContent = `${shown} of ${rows.length} rows`;
  });
}

for (const table of document.querySelectorAll("table.sortable")) {
  makeSortable(table);
  makeFilter(table);
}
