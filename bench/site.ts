// `npm run bench:site`: lists, searches and articles of a site with 100,000 articles, as answers of the API and as pages, and how many
// of its pages a second are served beside a bare handler that renders an empty page with React Router, both in this run. Ends with 1
// when a bound is broken.
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { publicArticle, publicArticlePage, publicClient, searchCorrection } from "@herdwise/contract";
import { createReadingSeals, type Reading, readingOf } from "../apps/server/src/article-html.ts";
import { lexemesOf } from "../apps/server/src/modules/content/article-search.ts";
import { goal } from "./goals.ts";
import { openPlace } from "./stream-place.ts";

const { values: flags } = parseArgs({
  options: {
    articles: { type: "string", default: "100000" },
    rounds: { type: "string", default: "60" },
    seconds: { type: "string", default: "4" },
    /** Folder for a profile of the server's processor time. */
    profile: { type: "string" },
  },
});
const articleCount = Number(flags.articles);
const rounds = Number(flags.rounds);
/** Bounds of the acceptance. */
const bounds = { p95Ms: 100, ratio: 0.5 };
/** Different bodies; the articles are copies of them at other times under other titles. */
const bodyCount = Math.min(2000, articleCount);
const connections = 16;

/** Protects nothing: the server and this program seal the same. */
const secretKey = "the key of a measurement, of nothing else";
const seals = createReadingSeals(secretKey);
const { pool, address, close } = await openPlace({
  SECRET_KEY: secretKey,
  ...(flags.profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${flags.profile}` }),
});
const ceiling = fork(new URL("empty-page.ts", import.meta.url));
const ceilingPort = once(ceiling, "message").then(([port]) => Number(port));
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const authorization = `Basic ${Buffer.from(`${publicClient.id}:${publicClient.secret}`).toString("base64")}`;
const broken: string[] = [];

let requests = 0;
function get(target: string): Promise<{ bytes: number; text: string }> {
  requests += 1;
  const headers = {
    Authorization: authorization,
    "Accept-Encoding": "identity",
    "X-Forwarded-For": `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`,
  };
  return new Promise((resolve, reject) => {
    const sent = request(target, { agent, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => void chunks.push(chunk));
      answer.on("end", () => {
        const body = Buffer.concat(chunks);
        if (answer.statusCode === 200) resolve({ bytes: body.length, text: body.toString() });
        else reject(new Error(`${target}: ${answer.statusCode} ${body.toString().slice(0, 200)}`));
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}

let seed = 20_261_124;
/** The same articles in every run. */
const random = (below: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
  return seed % below;
};
const percentile = (numbers: readonly number[], share: number): number =>
  [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? 0;

/** Bodies out of the paragraphs of the demo's articles. */
async function fill(): Promise<void> {
  const { rows } = await pool.query<{ body: string; body_en: string; title: string }>(
    "select body, body_en, title from article_versions",
  );
  const paragraphs = (html: string): string[] => html.split(/(?<=<\/(?:p|h2|ul|table|blockquote)>)/);
  const [zh, en] = [
    rows.flatMap(({ body }) => paragraphs(body)),
    rows.flatMap(({ body_en: body }) => paragraphs(body)),
  ];
  const some = (of: readonly string[]): string =>
    Array.from({ length: 14 }, () => of[random(of.length)] ?? "").join("");
  const plain = (html: string): string => html.replace(/<[^>]*>/g, " ");
  await pool.query(
    "create table bench_bodies (n int primary key, title text, body text, body_en text, lexemes tsvector, zh jsonb, en jsonb)",
  );
  const readings: { zh: Reading; en: Reading }[] = [];
  for (let n = 0; n < bodyCount; n += 1) {
    const [title, body, bodyEn] = [rows[random(rows.length)]?.title ?? "", some(zh), some(en)];
    const reading = { zh: readingOf(body), en: readingOf(bodyEn) };
    readings.push(reading);
    await pool.query("insert into bench_bodies values ($1, $2, $3, $4, $5::tsvector, $6, $7)", [
      n,
      title,
      body,
      bodyEn,
      lexemesOf([title, plain(body), plain(bodyEn)]),
      reading.zh,
      reading.en,
    ]);
  }
  const client = await pool.connect();
  try {
    await client.query("set statement_timeout = 0");
    await client.query("set maintenance_work_mem = '512MB'");
    // At once: the job that looks for what the search lacks would make it all again.
    await client.query("begin");
    await client.query("drop index article_search_lexemes_idx");
    const from =
      "from generate_series(1, $1::int) n join (select n as body_n, title, body, body_en, lexemes from bench_bodies) b on b.body_n = n % $2::int";
    const topics = "(array['climate', 'biosafety', 'health', 'emission', 'feed'])[1 + n % 5]";
    const channel = "case when n % 10 < 7 then 'information' else 'news' end";
    const at = "now() - make_interval(mins => n)";
    const count = [articleCount, bodyCount];
    await client.query(
      `insert into articles (id, title, title_en, summary, channel, topic, cover, body, body_en, state, published_version, published_channel, published_topic, published_at)
       select 1000000 + n, b.title || ' ' || n, 'Article ' || n, left(regexp_replace(b.body, '<[^>]*>', '', 'g'), 120), ${channel}, ${topics}, 'environment',
              b.body, b.body_en, 'published', 1, ${channel}, ${topics}, ${at} ${from}`,
      count,
    );
    await client.query(
      `insert into article_versions (article_id, number, title, title_en, summary, summary_en, channel, topic, page, cover, author, example, body, body_en)
       select id, 1, title, title_en, summary, '', channel, topic, page, cover, author, example, body, body_en from articles where id > 1000000 and id <= 1000000 + $1`,
      [articleCount],
    );
    await client.query(
      `insert into article_search (article_id, version, channel, topic, published_at, lexemes)
       select 1000000 + n, 1, ${channel}, ${topics}, ${at}, b.lexemes ${from}`,
      count,
    );
    const atOnce = 5000;
    for (let from = 1; from <= articleCount; from += atOnce)
      for (const language of ["zh", "en"] as const) {
        const numbers = Array.from({ length: Math.min(atOnce, articleCount + 1 - from) }, (_, at) => from + at);
        const sealed = numbers.map((n) =>
          seals.of({
            id: String(1_000_000 + n),
            version: 1,
            language,
            body: readings[n % bodyCount]?.[language].body ?? "",
          }),
        );
        await client.query(
          `insert into article_readings (article_id, language, version, rules, seal, body, contents, minutes, words)
           select 1000000 + s.n, '${language}', 1, $3, s.seal, b.r ->> 'body', b.r -> 'contents', (b.r ->> 'minutes')::int, b.r ->> 'words'
             from unnest($1::int[], $2::text[]) as s (n, seal) join (select n as body_n, ${language} as r from bench_bodies) b on b.body_n = s.n % $4::int`,
          [numbers, sealed, seals.rules, bodyCount],
        );
      }
    await client.query(
      "create index article_search_lexemes_idx on article_search using gin (lexemes) with (fastupdate = off)",
    );
    await client.query("commit");
    await client.query("vacuum analyze articles");
    await client.query("vacuum analyze article_versions");
    await client.query("vacuum analyze article_search");
    await client.query("vacuum analyze article_readings");
  } finally {
    client.release();
  }
}

/** p95 of one thing after another, each asked for with its own parameters. */
async function measure(name: string, targetOf: (round: number) => string, boundMs = bounds.p95Ms): Promise<void> {
  for (let round = 0; round < 3; round += 1) await get(targetOf(rounds + round));
  const took: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    await get(targetOf(round));
    took.push(performance.now() - begun);
  }
  const [half, most] = [percentile(took, 0.5), percentile(took, 0.95)];
  console.log(`  ${name.padEnd(52)} ${half.toFixed(1).padStart(7)} ms ${most.toFixed(1).padStart(7)} ms`);
  if (most > boundMs) broken.push(`${name}: p95 ${most.toFixed(0)} ms of ${boundMs} ms`);
}

async function rateOf(targetOf: (n: number) => string): Promise<number> {
  const begun = performance.now();
  const until = begun + Number(flags.seconds) * 1000;
  let served = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) {
        served += 1;
        await get(targetOf(served));
      }
    }),
  );
  return (served * 1000) / (performance.now() - begun);
}

const api = (path: string, query: Record<string, string | number>): string =>
  `${address}${path}?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`;
const page = api;
/** Page of the n-th article: seven of ten stand among the knowledge, three among the news. */
const articlePage = (n: number): string =>
  page((idOf(n) - 1_000_000) % 10 < 7 ? "/informationDetails" : "/news/detail", { id: idOf(n) });
const idOf = (n: number): number => 1_000_001 + ((n * 7919) % articleCount);

try {
  const begun = performance.now();
  await fill();
  console.log(
    `${articleCount} articles of ${bodyCount} bodies, filled in ${((performance.now() - begun) / 1000).toFixed(0)} s; ${cpus().length} cores shared with this program`,
  );
  const size = await pool.query<{ size: string }>(
    "select pg_size_pretty(pg_relation_size('article_search_lexemes_idx')) || ' of ' || pg_size_pretty(pg_database_size(current_database())) as size",
  );
  console.log(`index of the search: ${size.rows[0]?.size}`);
  console.log(`  ${"".padEnd(52)}     median        p95`);
  const list = (query: Record<string, string | number>) => api(publicArticlePage.path, { size: 12, ...query });
  await measure("list of a channel, first pages", (n) => list({ channel: "information", current: 1 + (n % 5) }));
  await measure("list of a channel and topic", (n) => list({ channel: "news", topic: "feed", current: 1 + n }));
  await measure("list of a channel, page 2,000", (n) => list({ channel: "information", current: 2000 + n }));
  const search = (keyword: string) => list({ keyword, size: 30 });
  for (const word of ["通风", "风", "最小通风", "电导率", "ventilation", "vent", "氨气 通风", "没有人写过这句"]) {
    const { text } = await get(search(word));
    const total = (JSON.parse(text) as { data: { total: number } }).data.total;
    await measure(`search for ${word}, ${total} found`, () => search(word));
  }
  for (const word of ["最小同风", "电导律", "amonia", "ventilaton"]) {
    const { text } = await get(api(searchCorrection.path, { keyword: word }));
    const { keyword } = (JSON.parse(text) as { data: { keyword: string } }).data;
    await measure(`correction of ${word}: ${keyword}`, () => api(searchCorrection.path, { keyword: word }));
  }
  await measure("an article", (n) => api(publicArticle.path, { id: idOf(n) }));
  await measure("page of an article, never rendered before", (n) => articlePage(n * 10));
  await measure("page of a list, never rendered before", (n) => page("/information", { page: 100 + n }));
  await measure("page of a search", (n) => page("/search", { q: ["通风", "氨气", "饮水", "ammonia"][n % 4] ?? "" }));

  // What robots fetch: each file is made once and kept until something changes.
  const parts = Math.ceil(articleCount / 10_000);
  for (const file of ["/sitemap.xml", ...(parts > 1 ? ["/sitemap-1.xml", `/sitemap-${parts}.xml`] : []), "/rss.xml"]) {
    const asked = performance.now();
    const { bytes } = await get(address + file);
    const took = (performance.now() - asked).toFixed(1);
    console.log(`  ${`${file}, made anew`.padEnd(52)} ${took.padStart(7)} ms, ${Math.round(bytes / 1000)} kB`);
  }

  // What many people read is rendered once and kept until something changes; what nobody read before is rendered for its first reader.
  const empty = `http://127.0.0.1:${await ceilingPort}/index`;
  const targets: readonly (readonly [name: string, targetOf: (n: number) => string, bound: number])[] = [
    ["an empty page", () => empty, 0],
    ["page of a solution", () => page("/solution/environmentalControl", {}), bounds.ratio],
    ["pages of the 40 articles that are read most", (n) => articlePage((n % 40) * 10), bounds.ratio],
    ["first pages of a list", (n) => page("/information", { page: 1 + (n % 5) }), bounds.ratio],
    ["articles that nobody read before", (n) => articlePage(5000 + n), 0],
  ];
  const rates = targets.map((): number[] => []);
  for (const [, targetOf] of targets) for (let n = 0; n < 40; n += 1) await get(targetOf(n));
  // In turn, so that what disturbs the machine meets all.
  for (let round = 0; round < 3; round += 1)
    for (const [at, [, targetOf]] of targets.entries())
      rates[at]?.push(await rateOf((n) => targetOf(n + round * 10_000)));
  const medians = rates.map((list) => percentile(list, 0.5));
  for (const [at, [name, , bound]] of targets.entries()) {
    const ratio = (medians[at] ?? 0) / (medians[0] ?? 1);
    console.log(
      `  ${name.padEnd(52)} ${(medians[at] ?? 0).toFixed(0).padStart(7)} a second, ${ratio.toFixed(2)} of the empty one`,
    );
    if (bound > 0)
      goal({
        name,
        measured: medians[at] ?? 0,
        unit: "a second",
        limit: (medians[0] ?? 1) * bound,
        side: "least",
        ceiling: { what: "an empty page", measured: medians[0] ?? 1 },
      });
    if (ratio < bound) broken.push(`${name}: ${ratio.toFixed(2)} of the rate of an empty page, not ${bound}`);
  }
  for (const bound of broken) console.log(`  BROKEN: ${bound}`);
  if (broken.length > 0) process.exitCode = 1;
} finally {
  agent.destroy();
  ceiling.kill();
  await close();
}
