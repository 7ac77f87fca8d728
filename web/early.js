// What is sent before the app listens is kept until it does.
addEventListener("submit", (event) => {
  const { dataset } = document.getElementById("root");
  if (dataset.drawn === undefined) return;
  event.preventDefault();
  dataset.sent = "yes";
});
