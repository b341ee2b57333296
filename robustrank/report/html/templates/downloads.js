// Tables that the page carries compressed are saved unpacked; without scripts, as they are.
document.addEventListener("DOMContentLoaded", () => {
  async function unpack(address) {
    const bytes = Uint8Array.from(atob(address.slice(address.indexOf(",") + 1)), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).blob();
  }
  for (const link of document.querySelectorAll("a[data-plain]")) {
    if (!("DecompressionStream" in window)) break;
    link.addEventListener("click", async (event) => {
      event.preventDefault();
      const file = document.createElement("a");
      file.href = URL.createObjectURL(await unpack(link.getAttribute("href")));
      file.download = link.dataset.plain;
      file.click();
      setTimeout(() => URL.revokeObjectURL(file.href), 60000);
    });
  }
});
