// How an iPhone or iPad puts the app on its home screen: only from there it can tell anybody anything.

import { html } from "../vendor/preact.js";
import { say } from "../words.js";

export const HomeScreen = () => html`
  <section class="home-screen">
    <p>${say("home_screen.why")}</p>
    <svg class="how" viewBox="0 0 280 120" role="img" aria-label=${say("home_screen.picture")}>
      <g class="lines">
        <rect x="8" y="8" width="68" height="104" rx="10" />
        <path d="M8 92h68" />
        <path d="M42 106V95M38.5 98l3.5-3.5 3.5 3.5" class="strong" />
        <path d="M37 101v7.5h10V101" class="strong" />
        <rect x="106" y="8" width="68" height="104" rx="10" />
        <rect x="112" y="54" width="56" height="18" rx="5" class="strong" />
        <rect x="150" y="58" width="10" height="10" rx="2.5" /><path d="M155 60.5v5M152.5 63h5" />
        <path d="M117 63h24M117 42h34M117 84h30" />
        <rect x="204" y="8" width="68" height="104" rx="10" />
        <rect x="213" y="18" width="14" height="14" rx="4" /><rect x="231" y="18" width="14" height="14" rx="4" />
        <rect x="249" y="18" width="14" height="14" rx="4" /><rect x="213" y="38" width="14" height="14" rx="4" />
        <rect x="231" y="38" width="14" height="14" rx="4" class="strong" />
        <path d="M240.6 46.6a3.6 3.6 0 0 1-4.2-4.2 3.6 3.6 0 1 0 4.2 4.2z" class="strong" />
        <path d="M84 60h14M93 55l5 5-5 5M182 60h14M191 55l5 5-5 5" />
      </g>
    </svg>
    <ol>
      <li>${say("home_screen.share")}</li>
      <li>${say("home_screen.choose")}</li>
      <li>${say("home_screen.open")}</li>
    </ol>
  </section>
`;
