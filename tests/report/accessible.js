// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a page lacks for readers who do not see it, use no mouse, or see little contrast (WCAG 2.1: 1.1.1, 1.3.1, 1.4.3,
// 2.1.1, 2.4.1, 3.1.1, 4.1.1, 4.1.2). A list of texts, empty where nothing is wrong.
"use strict";
function luminance([r, g, b]) {
  const part = (c) => (c /= 255) <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
  return .2126 * part(r) + .7152 * part(g) + .0722 * part(b);
}
const colour = (text) => (text.match(/[\d.]+/g) || []).map(Number);
function backOf(element) {
  for (let e = element; e; e = e.parentElement) {
    const style = getComputedStyle(e), fill = e instanceof SVGElement ? [] : colour(style.backgroundColor);
    if (fill.length && fill[3] !== 0) return fill;
  }
  return [255, 255, 255];
}
function contrast(element) {
  const style = getComputedStyle(element);
  const front = luminance(colour(element instanceof SVGElement ? style.fill : style.color));
  const back = luminance(backOf(element));
  return (Math.max(front, back) + .05) / (Math.min(front, back) + .05);
}
const isShown = (e) => e.checkVisibility ? e.checkVisibility() : true;
function nameOf(e) {
  const by = e.getAttribute("aria-labelledby");
  return e.getAttribute("aria-label") || (by && by.split(" ").map((id) => document.getElementById(id)?.textContent).join(" ")) ||
    e.getAttribute("alt") || [...(e.labels || [])].map((l) => l.textContent).join(" ") || e.textContent;
}
function findFaults() {
  const faults = [], all = [...document.body.querySelectorAll("*")].filter((e) => !e.closest("#result"));
  const say = (what, e) => faults.push(`${what}: ${e.outerHTML.slice(0, 120)}`);
  if (!document.documentElement.lang) faults.push("the page has no language");
  if (!document.title) faults.push("the page has no title");
  if (!document.querySelector("main") || document.querySelectorAll("h1").length !== 1) faults.push("no main, or no single h1");
  const skip = document.querySelector("a[href^='#']");
  if (!skip || !document.querySelector(skip.getAttribute("href"))) faults.push("no link that skips to the content");
  const ids = all.map((e) => e.id).filter(Boolean);
  for (const id of new Set(ids)) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`two elements are called ${id}`);
  for (const e of all) {
    if (!isShown(e)) continue;
    if (e.matches("input, select, button, a, summary, [role=img], img, [tabindex='0']") && !nameOf(e)?.trim()) say("no name", e);
    for (const id of (e.getAttribute("aria-labelledby") || "").split(" ").filter(Boolean))
      if (!document.getElementById(id)) say("its label is not there", e);
    if (e.matches("input, select, button, a[href]") && e.tabIndex < 0) say("no key reaches it", e);
    if (e.tabIndex > 0) say("an order of its own", e);
    if (e.matches("th") && !e.scope) say("a head without a scope", e);
    const style = getComputedStyle(e);
    if (/auto|scroll/.test(style.overflowX) && e.scrollWidth > e.clientWidth && e.tabIndex < 0) say("keys cannot scroll it", e);
    const isText = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (isText && !e.matches("title, desc, script, style, option") && !e.closest(".skip") && contrast(e) < 4.5)
      say(`contrast ${contrast(e).toFixed(1)}`, e);
  }
  let level = 1;
  for (const h of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    if (!isShown(h)) continue;
    if (Number(h.tagName[1]) > level + 1) say("a level of headings is left out", h);
    level = Number(h.tagName[1]);
  }
  return faults;
}
