// Waits until the server of this machine's PORT can work: `node scripts/wait-ready.mjs [seconds]`. A supervisor calls it after a start.
const port = process.env.PORT || "8080";
const seconds = Number(process.argv[2] ?? 240);
const until = Date.now() + seconds * 1000;
let last = "no answer";
while (Date.now() < until) {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5000) });
    if (answer.ok) process.exit(0);
    last = `${answer.status} ${await answer.text()}`;
  } catch (error) {
    last = error.cause?.code ?? error.message;
  }
  await new Promise((resolve) => setTimeout(resolve, 250));
}
console.error(`The server at port ${port} was not ready after ${seconds} s: ${last}`);
process.exit(1);
