// Says what is wrong where the page is read from the disk: there browsers load no modules.
if (location.protocol === "file:")
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("served").hidden = false;
    document.getElementById("main").hidden = true;
  });
