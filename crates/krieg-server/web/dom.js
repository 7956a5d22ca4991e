// Creates HTML and SVG elements. Text is never parsed as markup, so no text can become code.

/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */
/** @typedef {Record<string, unknown>} Attributes */

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * Creates an HTML element. Attributes that begin with `on` are event listeners. The value `true`
 * sets an empty attribute, `null` and `false` set none. `class`, `data-…` and `aria-…` are written
 * as in HTML.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes | null} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes, ...children) {
  return setUp(document.createElement(tag), attributes, children);
}

/**
 * Creates an SVG element, with attributes as for `el`.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes | null} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG_NAMESPACE, tag);
  return setUp(/** @type {SVGElementTagNameMap[K]} */ (element), attributes, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes | null | undefined} attributes
 * @param {Child[]} children
 * @returns {E}
 */
function setUp(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...flatten(children));
  return element;
}

/**
 * Replaces all children of an element.
 * @template {Element} E
 * @param {E} element
 * @param {...Child} children
 * @returns {E}
 */
export function fill(element, ...children) {
  element.replaceChildren(...flatten(children));
  return element;
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function flatten(children) {
  /** @type {(Node | string)[]} */
  const list = [];
  for (const child of children) {
    if (Array.isArray(child)) list.push(...flatten(child));
    else if (child instanceof Node) list.push(child);
    else if (child !== null && child !== undefined && child !== false) list.push(String(child));
  }
  return list;
}

/**
 * Creates a button that does not submit a form.
 * @param {Child} label
 * @param {(event: MouseEvent) => void} onclick
 * @param {Attributes} [attributes]
 */
export function button(label, onclick, attributes) {
  return el("button", { type: "button", onclick, ...attributes }, label);
}
