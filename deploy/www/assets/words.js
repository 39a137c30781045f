// What the scripts of these pages say: messages in the page's language, which the page brings along.
"use strict";

const words = JSON.parse(document.body.dataset.words);
const language = document.documentElement.lang;
const PLACE = /\{(\w+)\}/;

// The message's pieces, with the values in its places: texts or elements. `count` chooses the plural.
function pieces(id, values) {
  const message = words[id];
  const text = message.other === undefined ? message : (message[new Intl.PluralRules(language).select(values.count)] ?? message.other);
  return text.split(PLACE).map((piece, at) => (at % 2 ? values[piece] : piece));
}

const say = (id, values = {}) => pieces(id, values).join("");

// When to try again after too many tries; Retry-After may be missing.
const waiting = (group, seconds) => (seconds > 1 ? say(`${group}.too_many`, { count: seconds }) : say(`${group}.too_many_soon`));
