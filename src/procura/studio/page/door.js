// Leads on a link without the token to the studio that was open in this browser; the token never leaves the browser.
const door = localStorage.getItem("procura-door");
if (door && /^\/[\w-]{20,}\/$/.test(door) && !sessionStorage.getItem(`tried ${door}`)) {
  sessionStorage.setItem(`tried ${door}`, "yes");
  location.replace(door + location.hash);
}
