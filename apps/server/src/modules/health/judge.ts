import { type HealthFinding, healthStates } from "@herdwise/contract";
import type { Config } from "../../config.ts";
import type { CertificateFacts, DatabaseFacts, HealthFacts, JobFacts } from "./facts.ts";

type State = HealthFinding["state"];
type Words = readonly [zh: string, en: string];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const gigabyte = 1e9;

const words = ([zh, en]: Words) => ({ zh, en });
const whole = (value: number): string => String(Math.round(value));
const one = (value: number): string => (Math.round(value * 10) / 10).toString();

/** A span of time in words. */
function span(ms: number): Words {
  if (ms < 2 * minuteMs) return [`${whole(ms / 1000)} 秒`, `${whole(ms / 1000)} s`];
  if (ms < 2 * hourMs) return [`${whole(ms / minuteMs)} 分钟`, `${whole(ms / minuteMs)} min`];
  if (ms < 2 * dayMs) return [`${one(ms / hourMs)} 小时`, `${one(ms / hourMs)} h`];
  return [`${whole(ms / dayMs)} 天`, `${whole(ms / dayMs)} days`];
}
const size = (bytes: number): string =>
  bytes >= gigabyte ? `${one(bytes / gigabyte)} GB` : `${whole(bytes / 1e6)} MB`;

interface Given {
  title: Words;
  text: Words;
  mend?: Words;
  link?: string;
  firstDay?: boolean;
}

function finding(id: string, state: State, { title, text, mend, link, firstDay = false }: Given): HealthFinding {
  const at = id.split(".")[0] as HealthFinding["area"];
  return {
    id,
    area: at,
    state,
    title: words(title),
    text: words(text),
    ...(mend && state !== "ok" && { mend: words(mend) }),
    ...(link && { link }),
    firstDay,
  };
}

const isLoopback = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);

/** Words of examples, and of what people type for a secret. */
const guessed = /change|secret|passw|example|herdwise|admin|12345/i;
const isWeak = (secret: string): boolean => new Set(secret).size < 8 || guessed.test(secret);

/** Names of secrets that can be guessed. */
function weakSecrets({ secretKey, personalKey, metricsToken, mallSecret, remittance, payment }: Config): string[] {
  const secrets = {
    SECRET_KEY: secretKey,
    PERSONAL_KEY: personalKey,
    METRICS_TOKEN: metricsToken,
    MALL_SECRET: mallSecret,
    REMITTANCE_SECRET: remittance?.secret,
    PAYMENT_SECRET: payment?.secret,
  };
  return Object.entries(secrets).flatMap(([name, secret]) => (secret !== undefined && isWeak(secret) ? [name] : []));
}

/** What the settings alone tell, before anything runs. */
export function settingChecks({
  config,
  nodeVersion,
  appVersion,
}: Pick<HealthFacts, "config" | "nodeVersion" | "appVersion">): HealthFinding[] {
  const found: HealthFinding[] = [];
  const address = new URL(config.publicUrl);
  const local = isLoopback(address.hostname);
  for (const { name, meant } of config.unknownSettings)
    found.push(
      finding(`settings.unknown.${name}`, "minor", {
        title: ["没有这个设置", "There is no such setting"],
        text: [`环境变量 ${name} 没有程序读它`, `Nothing reads the variable ${name}`],
        mend:
          meant === undefined
            ? [
                "删掉它，或对照 docs/operations/README.md 改名",
                "Remove it, or look its name up in docs/operations/README.md",
              ]
            : [`多半是写错了：改成 ${meant}`, `It is probably mistyped: rename it to ${meant}`],
      }),
    );
  const open = config.demo && (!local || !isLoopback(config.host));
  found.push(
    finding("settings.demo", open ? "critical" : config.demo ? "off" : "ok", {
      title: ["演示数据", "Demo data"],
      text: open
        ? [
            `演示开着，而别人也能打开 ${config.publicUrl}：人人都知道它的密码`,
            `The demo is on and others reach ${config.publicUrl}: everybody knows its passwords`,
          ]
        : config.demo
          ? ["这是演示，只在本机打得开", "This is a demo that only this machine opens"]
          : ["没有", "None"],
      mend: [
        "停下，运行 npm run purge-demo，再用 DEMO=off 启动（npm run serve）",
        "Stop, run npm run purge-demo, and start with DEMO=off (npm run serve)",
      ],
    }),
  );
  const weak = weakSecrets(config).join(", ");
  found.push(
    finding("settings.secret", weak !== "" ? "critical" : "ok", {
      title: ["密钥", "Secrets"],
      text:
        weak !== ""
          ? [
              `猜得出来：${weak}。字符太少变化，或是示例里的词`,
              `Can be guessed: ${weak}. Too few different characters, or a word of an example`,
            ]
          : config.secretKey === undefined
            ? ["自己生成的，在 DATA_DIR/secret.key", "Made by itself, in DATA_DIR/secret.key"]
            : ["SECRET_KEY 足够随机", "SECRET_KEY is random enough"],
      mend: [
        "新密钥：openssl rand -base64 32。换 SECRET_KEY 时旧的写进 PERSONAL_KEYS_OLD，之后所有人要重设密码",
        "Make one with openssl rand -base64 32. Where SECRET_KEY changes, put the old one into PERSONAL_KEYS_OLD; everybody has to set a new password afterwards",
      ],
    }),
  );
  found.push(
    finding("settings.public_url", local && !config.demo ? "major" : "ok", {
      title: ["对外地址", "Public address"],
      text:
        local && !config.demo
          ? [
              `PUBLIC_URL 没有设：链接指向 ${config.publicUrl}，只有本机打得开`,
              `PUBLIC_URL is not set: links point to ${config.publicUrl}, which only this machine opens`,
            ]
          : [config.publicUrl, config.publicUrl],
      mend: ["设 PUBLIC_URL=https://您的域名，重启", "Set PUBLIC_URL=https://your.domain and start again"],
      firstDay: true,
    }),
  );
  const branded = config.companySuffix !== "" || config.brandName !== "慧牧 Herdwise";
  found.push(
    finding("settings.brand", branded ? "ok" : config.demo ? "off" : "minor", {
      title: ["品牌和公司名", "Brand and company name"],
      text: branded
        ? [`${config.brandName} ${config.companySuffix}`.trim(), `${config.brandName} ${config.companySuffix}`.trim()]
        : [
            "标题里还是“慧牧 Herdwise”，客户看不出是谁的网站",
            "Titles still say “慧牧 Herdwise”: customers don't see whose site it is",
          ],
      mend: ["在平台设置里填品牌和标题后缀", "Enter the brand and the title suffix among the portal settings"],
      link: "/system/setting",
      firstDay: true,
    }),
  );
  const old = Number(nodeVersion.split(".")[0]) < 24;
  found.push(
    finding("settings.versions", old ? "major" : "ok", {
      title: ["版本", "Versions"],
      text: [`平台 ${appVersion}，Node ${nodeVersion}`, `Portal ${appVersion}, Node ${nodeVersion}`],
      mend: [
        "用 npm run serve 启动：它用自带的 Node 24",
        "Start with npm run serve, which uses the Node 24 that comes along",
      ],
    }),
  );
  return found;
}

function disk({ dataDir, config }: HealthFacts): HealthFinding[] {
  const title: Words = ["数据目录", "Data folder"];
  if (dataDir.fault !== "")
    return [
      finding("server.data_dir", "critical", {
        title,
        text: [
          `${config.dataDir} 写不进去（${dataDir.fault}）`,
          `${config.dataDir} can't be written (${dataDir.fault})`,
        ],
        mend: [
          "让运行服务的用户拥有它（chown），或用 DATA_DIR 指到别处",
          "Make the user that runs the server its owner (chown), or name another folder by DATA_DIR",
        ],
      }),
    ];
  const found = [
    finding("server.data_dir", dataDir.exists ? "ok" : "off", {
      title,
      text: dataDir.exists
        ? [config.dataDir, config.dataDir]
        : [`${config.dataDir} 还没有，第一次启动时建`, `${config.dataDir} is made by the first start`],
    }),
  ];
  if (dataDir.disk !== undefined) {
    const { freeBytes, totalBytes } = dataDir.disk;
    const share = freeBytes / Math.max(1, totalBytes);
    const state: State =
      freeBytes < 0.5 * gigabyte || share < 0.01
        ? "critical"
        : freeBytes < 2 * gigabyte || share < 0.03
          ? "major"
          : share < 0.1
            ? "minor"
            : "ok";
    found.push(
      finding("server.disk", state, {
        title: ["磁盘", "Disk"],
        text: [
          `还剩 ${size(freeBytes)}，共 ${size(totalBytes)}（${whole(share * 100)}%）`,
          `${size(freeBytes)} of ${size(totalBytes)} are free (${whole(share * 100)}%)`,
        ],
        mend: [
          "腾出空间或换大盘：删 DATA_DIR/before-restore-*，把备份移到别处，缩短原始数据保留天数",
          "Make room or take a larger disk: remove DATA_DIR/before-restore-*, move backups elsewhere, keep raw data for fewer days",
        ],
        link: "/system/param",
      }),
    );
  }
  return found;
}

function certificate(
  id: string,
  title: Words,
  facts: CertificateFacts,
  nowMs: number,
  mend: Words,
  firstDay = false,
): HealthFinding {
  const left = facts.validToMs - nowMs;
  const days = left / dayMs;
  const state: State = left <= 0 || facts.fault !== "" ? "critical" : days < 7 ? "major" : days < 21 ? "minor" : "ok";
  return finding(id, state, {
    title,
    text:
      left <= 0
        ? [`证书 ${span(-left)[0]}前就过期了`, `The certificate expired ${span(-left)[1]} ago`]
        : facts.fault !== ""
          ? [`浏览器不认这张证书：${facts.fault}`, `Browsers refuse the certificate: ${facts.fault}`]
          : [`证书还有 ${span(left)[0]}`, `The certificate is valid for ${span(left)[1]}`],
    mend,
    firstDay,
  });
}

function serverChecks(facts: HealthFacts): HealthFinding[] {
  const { config, http, mqtt, redis, publicCertificate, mqttCertificate, nowMs } = facts;
  const found = disk(facts);
  const runs = http === "this" || http === "answers";
  found.push(
    finding("server.http", http === "stranger" ? "critical" : runs ? "ok" : "off", {
      title: ["服务", "Server"],
      text:
        http === "stranger"
          ? [`端口 ${config.port} 被别的程序占着`, `Port ${config.port} is taken by another program`]
          : runs
            ? [`在端口 ${config.port} 应答`, `Answers at port ${config.port}`]
            : [`没有在运行（端口 ${config.port} 没有应答）`, `Does not run (nothing answers at port ${config.port})`],
      mend:
        http === "stranger"
          ? [
              `停掉它（ss -ltnp 'sport = :${config.port}'），或换 PORT`,
              `Stop it (ss -ltnp 'sport = :${config.port}'), or choose another PORT`,
            ]
          : ["启动：npm run serve", "Start it: npm run serve"],
    }),
  );
  if (mqtt !== undefined)
    found.push(
      finding("server.mqtt", runs && !mqtt ? "critical" : !runs && mqtt ? "major" : runs ? "ok" : "off", {
        title: ["设备接入", "MQTT broker"],
        text: runs
          ? mqtt
            ? [`MQTT 端口 ${config.mqttPort} 在听`, `MQTT listens at port ${config.mqttPort}`]
            : [
                `MQTT 端口 ${config.mqttPort} 没有应答，设备连不上`,
                `Nothing answers at MQTT port ${config.mqttPort}: devices can't connect`,
              ]
          : mqtt
            ? [
                `服务没在运行，MQTT 端口 ${config.mqttPort} 却被占着`,
                `The server does not run, but MQTT port ${config.mqttPort} is taken`,
              ]
            : ["服务没在运行", "The server does not run"],
        mend: runs
          ? [
              "看日志里的 MQTT；检查 MQTT_PORT 和防火墙，重启",
              "Look for MQTT in the log, check MQTT_PORT and the firewall, and start again",
            ]
          : [
              `停掉占着它的程序（ss -ltnp 'sport = :${config.mqttPort}'），或换 MQTT_PORT`,
              `Stop what takes it (ss -ltnp 'sport = :${config.mqttPort}'), or choose another MQTT_PORT`,
            ],
      }),
    );
  if (mqttCertificate !== undefined)
    found.push(
      certificate("server.mqtt_certificate", ["MQTT 证书", "MQTT certificate"], mqttCertificate, nowMs, [
        "换上新证书：写到 MQTT_TLS_CERT_FILE 和 MQTT_TLS_KEY_FILE，不用重启",
        "Renew it: write it to MQTT_TLS_CERT_FILE and MQTT_TLS_KEY_FILE; no start is needed",
      ]),
    );
  const certificateTitle: Words = ["网站证书", "Certificate of the site"];
  const renew: Words = [
    `在代理上续 ${new URL(config.publicUrl).hostname} 的证书（certbot renew），见 docs/operations/proxy.md`,
    `Renew the certificate of ${new URL(config.publicUrl).hostname} at the proxy (certbot renew), see docs/operations/proxy.md`,
  ];
  if (publicCertificate === undefined) {
    const plain = !isLoopback(new URL(config.publicUrl).hostname);
    found.push(
      finding("server.certificate", plain ? "major" : config.demo ? "off" : "minor", {
        title: certificateTitle,
        text: plain
          ? [
              "PUBLIC_URL 是 http：密码和电话在网上不加密",
              "PUBLIC_URL is http: passwords and telephone numbers travel in the open",
            ]
          : ["没有：还没有对外地址", "None, as there is no public address yet"],
        mend: [
          "在前面放一个终结 TLS 的代理，PUBLIC_URL 改成 https，见 docs/operations/proxy.md",
          "Put a proxy in front that ends TLS and make PUBLIC_URL https, see docs/operations/proxy.md",
        ],
        firstDay: true,
      }),
    );
  } else if ("unreachable" in publicCertificate)
    found.push(
      finding("server.certificate", "minor", {
        title: certificateTitle,
        text: [
          `从本机打不开 ${config.publicUrl}：${publicCertificate.unreachable}`,
          `${config.publicUrl} can't be reached from here: ${publicCertificate.unreachable}`,
        ],
        mend: [
          "检查 DNS、代理和防火墙；本机不许访问外网时可以不管",
          "Check DNS, proxy and firewall; it may stay where this machine may not reach the internet",
        ],
        firstDay: true,
      }),
    );
  else found.push(certificate("server.certificate", certificateTitle, publicCertificate, nowMs, renew, true));
  found.push(
    finding("server.redis", redis === undefined ? "off" : redis === "" ? "ok" : "critical", {
      title: ["Redis", "Redis"],
      text:
        redis === undefined
          ? ["没有配：单台服务器不需要", "Not configured: a single server needs none"]
          : redis === ""
            ? ["应答", "Answers"]
            : [`没有应答：${redis}`, `Does not answer: ${redis}`],
      mend: [
        "启动 Redis，检查 REDIS_URL 的地址和密码；单台服务器可以去掉 REDIS_URL",
        "Start Redis and check address and password of REDIS_URL; a single server can do without",
      ],
    }),
  );
  return found;
}

const databaseTitle: Words = ["数据库", "Database"];
const databaseMends: readonly (readonly [RegExp, Words])[] = [
  [/28P01|28000|password/i, ["改正 DATABASE_URL 里的用户和密码", "Correct user and password in DATABASE_URL"]],
  [
    /3D000/,
    [
      "建这个库（createdb），或改 DATABASE_URL 里的库名",
      "Make that database (createdb), or correct its name in DATABASE_URL",
    ],
  ],
  [
    /ECONNREFUSED|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|ENOENT|timeout/i,
    [
      "启动 PostgreSQL，检查 DATABASE_URL 的地址、端口和防火墙",
      "Start PostgreSQL, and check address, port and firewall of DATABASE_URL",
    ],
  ],
];

function databaseChecks({ database, config, appVersion }: HealthFacts): HealthFinding[] {
  if ("fault" in database)
    return [
      finding("database.reach", database.off ? "off" : "critical", {
        title: databaseTitle,
        text: database.off
          ? ["还没有：第一次启动时建", "None yet: the first start makes it"]
          : [`连不上：${database.fault}`, `Can't be reached: ${database.fault}`],
        mend: databaseMends.find(([pattern]) => pattern.test(database.fault))?.[1] ?? [
          "看 DATA_DIR/postgres.log 的末尾，按它说的做，再启动",
          "Look at the end of DATA_DIR/postgres.log, do what it says, and start again",
        ],
      }),
    ];
  const { migrations, connections, oldestTransactionS, clockOffMs, inside } = database;
  const pending = migrations.pending.length;
  const free = connections.most - connections.used;
  const off = Math.abs(clockOffMs);
  const found = [
    finding("database.reach", database.answeredMs > 1000 ? "minor" : "ok", {
      title: databaseTitle,
      text: [
        `PostgreSQL ${database.version}，${size(database.bytes)}，${whole(database.answeredMs)} 毫秒应答`,
        `PostgreSQL ${database.version}, ${size(database.bytes)}, answers within ${whole(database.answeredMs)} ms`,
      ],
      mend: ["看数据库机器的处理器和磁盘", "Look at processors and disks of the database's machine"],
    }),
    finding("database.migrations", migrations.fault !== undefined ? "critical" : pending > 0 ? "major" : "ok", {
      title: ["表结构", "Migrations"],
      text:
        migrations.fault !== undefined
          ? [`与程序不符：${migrations.fault}`, `They don't fit this version: ${migrations.fault}`]
          : pending > 0
            ? [
                `还差 ${pending} 个：${migrations.pending.slice(0, 3).join("、")}`,
                `${pending} are missing: ${migrations.pending.slice(0, 3).join(", ")}`,
              ]
            : [`${migrations.applied} 个，都做了`, `All ${migrations.applied} are applied`],
      mend:
        migrations.fault !== undefined
          ? [
              "取一份没改过的同版本程序（git status、git checkout），或恢复备份",
              "Get an unchanged copy of this version (git status, git checkout), or restore a backup",
            ]
          : [
              "重启服务，启动时会做：npm run serve。先备份",
              "Start the server again, which applies them: npm run serve. Make a backup first",
            ],
    }),
    finding("database.connections", free < 3 ? "critical" : free < connections.most * 0.15 ? "major" : "ok", {
      title: ["数据库连接", "Connections"],
      text: [
        `用了 ${connections.used} 个，共 ${connections.most} 个`,
        `${connections.used} of ${connections.most} are used`,
      ],
      mend: [
        "提高 PostgreSQL 的 max_connections，或少开几台服务器（每台 16 个）",
        "Raise max_connections of PostgreSQL, or run fewer servers (16 each)",
      ],
    }),
    finding("database.transactions", oldestTransactionS > 3600 ? "major" : oldestTransactionS > 300 ? "minor" : "ok", {
      title: ["最久的事务", "Oldest transaction"],
      text: [`开了 ${span(oldestTransactionS * 1000)[0]}`, `Open for ${span(oldestTransactionS * 1000)[1]}`],
      mend: [
        "查 pg_stat_activity 里 xact_start 最早的是谁，结束它（pg_terminate_backend）",
        "Look in pg_stat_activity who has the oldest xact_start, and end it (pg_terminate_backend)",
      ],
    }),
    finding("database.clock", off > 60_000 ? "critical" : off > 5000 ? "major" : off > 2000 ? "minor" : "ok", {
      title: ["时钟", "Clock"],
      text: [`和数据库差 ${one(off / 1000)} 秒`, `${one(off / 1000)} s apart from the database's`],
      mend: [
        "两台机器都开时间同步：timedatectl set-ntp true（或 chrony）",
        "Let both machines take the time from the network: timedatectl set-ntp true (or chrony)",
      ],
    }),
  ];
  if (inside !== undefined) {
    const others = inside.versions.filter((version) => version !== appVersion);
    found.push(
      finding(
        "server.others",
        others.length > 0 || (inside.servers > 1 && config.redisUrl === undefined) ? "major" : "ok",
        {
          title: ["同库的服务器", "Servers on this database"],
          text:
            others.length > 0
              ? [
                  `还有别的版本连着：${others.join("、")}，这里是 ${appVersion}`,
                  `Other versions are connected: ${others.join(", ")}; this one is ${appVersion}`,
                ]
              : [`${Math.max(1, inside.servers)} 台，同一版本`, `${Math.max(1, inside.servers)} of the same version`],
          mend:
            others.length > 0
              ? [
                  "把每台都更新到同一版本，见 docs/operations/several-servers.md",
                  "Bring all of them to the same version, see docs/operations/several-servers.md",
                ]
              : [
                  "多台服务器要设 REDIS_URL，见 docs/operations/several-servers.md",
                  "Several servers need REDIS_URL, see docs/operations/several-servers.md",
                ],
        },
      ),
    );
  }
  return found;
}

/** How often a cron expression of this program comes at least, ms. */
function intervalOf(cron: string): number {
  const [minute = "*", hour = "*", day = "*", , weekday = "*"] = cron.split(" ");
  const step = /^\*\/(\d+)$/;
  if (day !== "*") return 31 * dayMs;
  if (weekday !== "*") return 7 * dayMs;
  if (hour !== "*") return step.test(hour) ? Number(step.exec(hour)?.[1]) * hourMs : dayMs;
  if (minute === "*") return minuteMs;
  return step.test(minute) ? Number(step.exec(minute)?.[1]) * minuteMs : hourMs;
}

/** A run may come this much later than its clock says, beside another of its intervals. */
const graceMs = 20 * minuteMs;
const named = (jobs: readonly JobFacts[]): string =>
  jobs
    .slice(0, 4)
    .map(({ job }) => job)
    .join(", ");

/** Milliseconds since a job should have succeeded at the latest; 0 while it is on time. */
export const lateByMs = ({ cron, sinceMs }: Pick<JobFacts, "cron" | "sinceMs">, nowMs: number): number =>
  Math.max(0, nowMs - sinceMs - 2 * intervalOf(cron) - graceMs);

function jobChecks(inside: NonNullable<DatabaseFacts["inside"]>, nowMs: number): HealthFinding[] {
  const failing = inside.jobs.filter(({ failedMs }) => failedMs !== undefined);
  const late = inside.jobs.filter((job) => job.failedMs === undefined && lateByMs(job, nowMs) > 0);
  const fault = failing[0]?.fault ?? "";
  const look: Words = [
    "在日志里找 “a job failed for good” 和这个名字；原因没了，下次到点就好",
    "Look in the log for “a job failed for good” with that name; once its cause is gone, the next run mends it",
  ];
  return [
    finding("jobs.failed", failing.length > 0 ? "major" : "ok", {
      title: ["定时任务", "Work by the clock"],
      text:
        failing.length > 0
          ? [
              `${failing.length} 个上次失败了：${named(failing)}（${fault}）`,
              `${failing.length} failed last: ${named(failing)} (${fault})`,
            ]
          : [`${inside.jobs.length} 个，上次都成功`, `${inside.jobs.length} jobs, none failed last`],
      mend: look,
    }),
    finding("jobs.late", late.length > 0 ? "minor" : "ok", {
      title: ["任务按时", "Jobs on time"],
      text:
        late.length > 0
          ? [`${late.length} 个过了点没跑：${named(late)}`, `${late.length} did not run at their time: ${named(late)}`]
          : ["都按时", "All ran at their time"],
      mend: [
        "服务停过的话等下次到点；不然重启服务，看日志",
        "Where the server was stopped they come at their next time; else start it again and look at the log",
      ],
    }),
    finding("jobs.queue", inside.queueS > 3600 ? "major" : inside.queueS > 900 ? "minor" : "ok", {
      title: ["任务排队", "Queue of jobs"],
      text: [
        `最久的等了 ${span(inside.queueS * 1000)[0]}`,
        `The first one has waited for ${span(inside.queueS * 1000)[1]}`,
      ],
      mend: [
        "看日志里卡住的任务；还长就再加一台服务器",
        "Look in the log for a job that hangs; add a server where the queue stays long",
      ],
    }),
  ];
}

interface Service {
  name: string;
  title: Words;
  configured: boolean;
  demoShows: boolean;
  without: Words;
  mend: Words;
  firstDay?: boolean;
  state?: State;
}

function serviceChecks(facts: HealthFacts): HealthFinding[] {
  const { config, nowMs } = facts;
  const inside = "fault" in facts.database ? undefined : facts.database.inside;
  const services: readonly Service[] = [
    {
      name: "sms",
      title: ["短信", "SMS"],
      configured: config.sms !== undefined,
      demoShows: true,
      without: [
        "没有配：登录码、重设密码和告警短信发不出去",
        "Not configured: codes for log-in and passwords, and alarms by SMS, can't be sent",
      ],
      mend: [
        "设 SMS_PROVIDER 和它要的（docs/operations/README.md“SMS and mail”）",
        "Set SMS_PROVIDER and what it needs (docs/operations/README.md, “SMS and mail”)",
      ],
      firstDay: true,
      state: "major",
    },
    {
      name: "mail",
      title: ["邮件", "Mail"],
      configured: config.mailUrl !== undefined,
      demoShows: true,
      without: [
        "没有配：邮箱验证、报告和安全通知发不出去",
        "Not configured: proofs of addresses, reports and security notices can't be sent",
      ],
      mend: [
        "检查 MAIL_URL=smtps://用户:密码@主机 和 MAIL_FROM",
        "Check MAIL_URL=smtps://user:password@host and MAIL_FROM",
      ],
      firstDay: true,
      state: "minor",
    },
    {
      name: "voice",
      title: ["电话告警", "Calls"],
      configured: config.voice !== undefined,
      demoShows: true,
      without: [
        "没有配：夜里没人接的紧急告警叫不醒人",
        "Not configured: critical alarms at night wake nobody by phone",
      ],
      mend: [
        "设 VOICE_PROVIDER 和它要的（docs/operations/README.md“Calls”）",
        "Set VOICE_PROVIDER and what it needs (docs/operations/README.md, “Calls”)",
      ],
      state: "minor",
    },
    {
      name: "wechat",
      title: ["微信", "WeChat"],
      configured: config.wechat !== undefined,
      demoShows: true,
      without: ["没有配：不提供微信通知", "Not configured: WeChat is not offered"],
      mend: ["检查 WECHAT_APP_ID、WECHAT_APP_SECRET 和模板", "Check WECHAT_APP_ID, WECHAT_APP_SECRET and the template"],
    },
    {
      name: "bank",
      title: ["打款 0.01 元", "Test remittances"],
      configured: config.remittance !== undefined,
      demoShows: true,
      without: [
        "没有配：实名和银行卡不能自动打款核验",
        "Not configured: names and cards are not proved by a remittance",
      ],
      mend: [
        "检查 REMITTANCE_URL 和 REMITTANCE_SECRET，见 docs/operations/remittance.md",
        "Check REMITTANCE_URL and REMITTANCE_SECRET, see docs/operations/remittance.md",
      ],
    },
    {
      name: "payment",
      title: ["支付网关", "Payment gateway"],
      configured: config.payment !== undefined,
      demoShows: true,
      without: ["没有配：客户不能在线付款", "Not configured: customers can't pay online"],
      mend: [
        "检查 PAYMENT_URL 和 PAYMENT_SECRET，见 docs/operations/payment.md",
        "Check PAYMENT_URL and PAYMENT_SECRET, see docs/operations/payment.md",
      ],
    },
    {
      name: "translation",
      title: ["机器翻译", "Machine translation"],
      configured: config.translation !== undefined,
      demoShows: false,
      without: ["没有配：只用词库", "Not configured: the glossary alone translates"],
      mend: ["检查 TRANSLATION_PROVIDER 和它要的", "Check TRANSLATION_PROVIDER and what it needs"],
    },
    {
      name: "mall",
      title: ["在线商城", "Mall"],
      configured: config.mallUrl !== undefined,
      demoShows: true,
      without: ["没有配：不显示商城入口", "Not configured: the mall is not linked"],
      mend: ["检查 MALL_URL 和 MALL_SECRET", "Check MALL_URL and MALL_SECRET"],
    },
    {
      name: "files",
      title: ["文件存储", "Store of files"],
      configured: config.s3 !== undefined,
      demoShows: false,
      without: ["存在本机 DATA_DIR/files", "On this machine in DATA_DIR/files"],
      state: "ok",
      mend: ["检查 S3_ENDPOINT、S3_BUCKET 和密钥", "Check S3_ENDPOINT, S3_BUCKET and its keys"],
    },
  ];
  return services.map(({ name, title, configured, demoShows, without, mend, firstDay = false, state = "off" }) => {
    const id = `services.${name}`;
    if (!configured) {
      const shown = demoShows && config.demo;
      return finding(id, shown ? "off" : state, {
        title,
        text: shown ? ["演示用，不真的发", "In the demo nothing is really sent"] : without,
        mend,
        firstDay,
      });
    }
    const outcome = inside?.outcomes.find(({ service }) => service === name);
    const tried = name === "mail" ? facts.mail : facts.reached[name];
    const failedMs = outcome?.failedMs ?? 0;
    const failed = failedMs > (outcome?.succeededMs ?? 0);
    const common = { title, mend, firstDay };
    if (inside?.spent.includes(name))
      return finding(id, "major", {
        ...common,
        text: ["没钱了：什么都发不出去", "It has no money left and sends nothing"],
        mend: ["去服务商那里充值，再在“告警推送”里试一条", "Pay in at the provider, then send a test at “Alarm push”"],
        link: "/selfCenter/vet/alarmPush",
      });
    if (tried !== undefined && tried !== "")
      return finding(id, "major", { ...common, text: [`试了，不行：${tried}`, `Tried, and it failed: ${tried}`] });
    if (failed)
      return finding(id, "major", {
        ...common,
        text: [
          `${span(nowMs - failedMs)[0]}前失败了，之后没成过：${outcome?.fault}`,
          `Failed ${span(nowMs - failedMs)[1]} ago and has not worked since: ${outcome?.fault}`,
        ],
      });
    if (outcome?.succeededMs !== undefined)
      return finding(id, "ok", {
        ...common,
        text: [`${span(nowMs - outcome.succeededMs)[0]}前成功过`, `Worked ${span(nowMs - outcome.succeededMs)[1]} ago`],
      });
    return finding(id, "ok", {
      ...common,
      text: tried === "" ? ["连得上", "Can be reached"] : ["配了，还没用过", "Configured and not used yet"],
    });
  });
}

/** A rehearsal that is older than this proves little of today's backups, days. */
const rehearseDays = { minor: 30, major: 90 } as const;

function backupChecks({ backups, backupThere, config, nowMs }: HealthFacts): HealthFinding[] {
  const title: Words = ["备份", "Backup"];
  const restoreTitle: Words = ["演练过恢复", "Rehearsed restore"];
  if (config.databaseUrl !== undefined)
    return [
      finding("backup.age", "off", {
        title,
        text: [
          "数据库在外面，备份由它自己的工具做，这里看不见",
          "The database is an outside one: its own tools make the backups, which are not seen here",
        ],
        mend: [
          "用那台 PostgreSQL 的工具备份和演练恢复；DATA_DIR 也要拷一份",
          "Make and rehearse backups with the tools of that PostgreSQL, and copy DATA_DIR, too",
        ],
      }),
    ];
  if (config.demo && backups.made === undefined)
    return [finding("backup.age", "off", { title, text: ["演示不备份", "A demo needs none"] })];
  const everyMs = config.backupHours * hourMs;
  const { made, failed, rehearsed, rehearsalFailed } = backups;
  const make: Words = [
    "现在做一次：npm run backup -- /备份盘/herdwise-$(date +%F).tar.gz，并排进 cron",
    "Make one now: npm run backup -- /backups/herdwise-$(date +%F).tar.gz, and put it into cron",
  ];
  const age = nowMs - (made?.atMs ?? 0);
  const lastFailed = failed !== undefined && failed.atMs > (made?.atMs ?? 0);
  const found = [
    finding(
      "backup.age",
      made === undefined || !backupThere || age > 3 * everyMs
        ? "critical"
        : age > 1.5 * everyMs || lastFailed
          ? "major"
          : "ok",
      {
        title,
        text:
          made === undefined
            ? ["从没备份过：盘坏了就全没了", "There never was one: with the disk everything would be lost"]
            : !backupThere
              ? [`最近一次的文件不在了：${made.file}`, `The file of the newest is gone: ${made.file}`]
              : lastFailed
                ? [
                    `上次没做成：${failed.fault}。最近一次是 ${span(age)[0]}前`,
                    `The last one failed: ${failed.fault}. The newest is ${span(age)[1]} old`,
                  ]
                : [
                    `${span(age)[0]}前，${size(made.bytes)}，应当每 ${config.backupHours} 小时一次`,
                    `${span(age)[1]} old, ${size(made.bytes)}, due every ${config.backupHours} h`,
                  ],
        mend: make,
        firstDay: true,
      },
    ),
  ];
  const since = nowMs - (rehearsed?.atMs ?? 0);
  const broken = rehearsalFailed !== undefined && rehearsalFailed.atMs > (rehearsed?.atMs ?? 0);
  found.push(
    finding(
      "backup.rehearsed",
      broken
        ? "critical"
        : rehearsed === undefined || since > rehearseDays.major * dayMs
          ? "major"
          : since > rehearseDays.minor * dayMs
            ? "minor"
            : "ok",
      {
        title: restoreTitle,
        text: broken
          ? [`上次演练没恢复成：${rehearsalFailed.fault}`, `The last rehearsal failed: ${rehearsalFailed.fault}`]
          : rehearsed === undefined
            ? ["从没恢复过：没恢复过的备份不算备份", "Never restored: a backup that nobody restored is a hope"]
            : [
                `${span(since)[0]}前恢复成功，用了 ${span(rehearsed.tookMs)[0]}`,
                `Restored ${span(since)[1]} ago, which took ${span(rehearsed.tookMs)[1]}`,
              ],
        mend: broken
          ? [
              "备份坏了：马上再做一份，再演练 npm run restore -- --rehearse",
              "The backup is damaged: make another at once, and rehearse it with npm run restore -- --rehearse",
            ]
          : [
              "演练一次，不碰现在的数据：npm run restore -- --rehearse",
              "Rehearse it, which leaves the present data alone: npm run restore -- --rehearse",
            ],
      },
    ),
  );
  return found;
}

function peopleChecks(inside: NonNullable<DatabaseFacts["inside"]>, demo: boolean, chat: boolean): HealthFinding[] {
  const { administrators, outlets, ownAgreements } = inside;
  const template = (["user", "privacy"] as const).filter((kind) => !ownAgreements.includes(kind));
  const when = (fine: boolean, state: State): State => (fine ? "ok" : demo ? "off" : state);
  return [
    finding("people.administrators", administrators === 0 ? "critical" : when(administrators > 1, "minor"), {
      title: ["第二个管理员", "Second administrator"],
      text: [
        administrators > 1 ? `${administrators} 个管理员` : `只有 ${administrators} 个管理员：他进不来时没人能开门`,
        administrators > 1
          ? `${administrators} administrators`
          : `There is ${administrators === 0 ? "no administrator" : "one administrator only"}: nobody helps when that person can't log in`,
      ],
      mend: [
        "npm run create-admin -- 登录名，或在用户管理里给一个同事管理员角色",
        "npm run create-admin -- login-name, or give a colleague the administrator's role",
      ],
      link: "/system/user",
      firstDay: true,
    }),
    finding("people.outlets", when(outlets > 0, "minor"), {
      title: ["服务网点", "Outlets"],
      text:
        outlets > 0
          ? [`${outlets} 个`, `${outlets}`]
          : ["一个也没有：网站的“服务网络”是空的", "There is none: “Service network” of the site is empty"],
      mend: ["添加网点，或用表格导入", "Add outlets, or import them from a sheet"],
      link: "/archives/service-department",
      firstDay: true,
    }),
    finding("people.telephone", when(outlets > 0 || chat, "minor"), {
      title: ["客户打哪个电话", "Telephone for customers"],
      text:
        outlets > 0 || chat
          ? ["网站上有", "On the site"]
          : [
              "网站上没有电话，也没有在线客服：客户找不到人",
              "The site shows neither a telephone nor a chat: customers reach nobody",
            ],
      mend: [
        "给一个网点填电话，或设 CUSTOMER_SERVICE_URL",
        "Enter the telephone of an outlet, or set CUSTOMER_SERVICE_URL",
      ],
      link: "/archives/service-department",
      firstDay: true,
    }),
    finding("people.agreements", when(template.length === 0, "minor"), {
      title: ["用户协议和隐私政策", "Agreements"],
      text:
        template.length === 0
          ? ["已发布自己的文本", "Texts of your own are published"]
          : [
              "还是范本，没有您公司的名称和联系方式",
              "They are still the templates, without your company's name and contact",
            ],
      mend: ["请法务改好，发布新版本", "Have them worded by your lawyers, and publish new versions"],
      link: "/customer/agreement",
      firstDay: true,
    }),
  ];
}

/** Judges all facts, the worst first. This is the one place where it is decided what is wrong and what to do. */
export function judge(facts: HealthFacts): HealthFinding[] {
  const inside = "fault" in facts.database ? undefined : facts.database.inside;
  const { config, nowMs } = facts;
  const found = [
    ...databaseChecks(facts),
    ...serverChecks(facts),
    ...(inside ? jobChecks(inside, nowMs) : []),
    ...backupChecks(facts),
    ...settingChecks(facts),
    ...serviceChecks(facts),
    ...(inside ? peopleChecks(inside, config.demo, config.customerServiceUrl !== undefined) : []),
  ];
  return found.toSorted((a, b) => healthStates.indexOf(a.state) - healthStates.indexOf(b.state));
}

/** What a configuration that can't be read has wrong, a finding for each line. */
export const configFindings = (problems: readonly string[]): HealthFinding[] =>
  problems.map((problem, at) =>
    finding(`settings.mistake.${at + 1}`, "critical", {
      title: ["设置有错", "A setting is wrong"],
      text: [problem, problem],
      mend: ["改正这个环境变量，见 docs/operations/README.md", "Correct this variable, see docs/operations/README.md"],
    }),
  );
