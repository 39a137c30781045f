// Shows /api/openapi.json. Nothing is asked of any other server, and no token is kept.
"use strict";

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

SwaggerUIBundle({
  url: "/api/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  defaultModelRendering: "example",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  docExpansion: "none", // the viewer shows nothing behind the first when it is to show some 130 operations at once
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
});
