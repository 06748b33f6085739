"use strict";
// What the script says, in the language of the page.
const words = JSON.parse(document.getElementById("words").textContent);
const say = (name, values) => words[name].replace(/\{(\w+)\}/g, (_, value) => values[value]);

