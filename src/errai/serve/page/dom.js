// Making elements, and writing numbers for people.

/** An element with attributes, listeners (`onclick`), styles (`style: {...}`) and children. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "style") {
      for (const [property, setting] of Object.entries(value)) element.style.setProperty(property, setting);
    } else if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (name === "dataset") {
      Object.assign(element.dataset, value);
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function percent(share, digits = 1) {
  return share === null || share === undefined || Number.isNaN(share) ? "–" : `${(100 * share).toFixed(digits)} %`;
}

// Made once: `toLocaleString` makes a new one for every number, which took half the time of a list of hands.
const CHIPS = [0, 1, 2].map((digits) => new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }));

/** Chips with as many digits as matter: `1,250`, `12.3`, `0.45`. */
export function chips(amount) {
  if (amount === null || amount === undefined || Number.isNaN(amount)) return "–";
  const size = Math.abs(amount);
  const digits = Number.isInteger(amount) || size >= 100 ? 0 : size >= 10 ? 1 : 2;
  const text = CHIPS[digits].format(amount);
  return /[1-9]/.test(text) ? text.replace("-", "−") : "0";
}

export function count(number) {
  return number.toLocaleString("en-US", { maximumFractionDigits: number < 100 ? 1 : 0 });
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `the dealer` as a title. */
export function title(position) {
  return capital(position.replace(/^the /, ""));
}

let isPressed = false;
const postponed = [];
addEventListener("pointerdown", () => (isPressed = true), true);
for (const type of ["pointerup", "pointercancel"]) {
  addEventListener(
    type,
    () => {
      isPressed = false;
      setTimeout(() => postponed.splice(0).forEach((work) => work()));
    },
    true,
  );
}

/** Do something that draws anew: not between press and release, as the click would be lost with the button. */
export function whenReleased(work) {
  if (isPressed) postponed.push(work);
  else work();
}

/** Arrow keys within a grid of buttons; one of them is in the tab order. */
export function roveGrid(container, columns) {
  const cells = () => [...container.querySelectorAll("button")];
  container.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    if (step === undefined) return;
    const all = cells();
    const next = all.indexOf(document.activeElement) + step;
    if (next < 0 || next >= all.length) return;
    event.preventDefault();
    for (const cell of all) cell.tabIndex = -1;
    all[next].tabIndex = 0;
    all[next].focus();
  });
}
