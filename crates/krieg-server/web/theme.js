// Light or dark, as remembered: a plain script that runs before anything is drawn, so that the page does not flash.

{
  const kept = localStorage.getItem("theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
}
