import { leastHashDigits, type Verification, verifyPath } from "@herdwise/contract";
import { Icon } from "../shared/icons/icon.tsx";
import { Mark } from "../shared/icons/mark.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { SiteHead } from "./site-head.tsx";

/** Why there is no answer: a file that is too large or empty, what is no hash, too many questions. */
export type VerifyProblem = "size" | "empty" | "hash" | "often";

const intro = "对一份合同有疑问，谁都可以在这里核对：它是不是在{brand}签的，签过以后有没有被改过。";

const problemWords: Readonly<Record<VerifyProblem, string>> = {
  size: "文件超过 10 MB，不是这里签的合同。",
  empty: "没有收到文件，请再选一次。",
  hash: "这不像哈希：要 16 到 64 位的数字和字母 a 到 f。",
  often: "核验太频繁，请过一小时再试。",
};

/** `1aa20a85 7396a26f …`. */
function Hash({ hash }: { hash: string }) {
  let at = 0;
  return (
    <code className="verify-hash">
      {(hash.match(/.{1,8}/g) ?? []).map((part) => {
        at += 1;
        return <span key={at}>{part}</span>;
      })}
    </code>
  );
}

const results = {
  signed: { word: "是签署后的原件，没有改过", tone: "ok", mark: "ok" },
  document: { word: "这份正文在{brand}签过，没有改过", tone: "ok", mark: "ok" },
  damaged: { word: "签过，但我们保存的文件损坏了", tone: "critical", mark: "critical" },
  unknown: { word: "没有找到", tone: "minor", mark: "minor" },
} as const;

function Result({ found }: { found: Verification }) {
  const t = useTranslate();
  const { word, tone, mark } = results[found.result];
  const known = found.result !== "unknown";
  return (
    <div role="status">
      <p className={`verify-result state ${tone}`}>
        <Mark name={mark} />
        {t(word)}
      </p>
      <dl>
        {known && (
          <div>
            <dt>{t("合同")}</dt>
            <dd className="num">
              {found.number}, {t("第 {version} 版", { version: found.version })},{" "}
              {t("{count} 页", { count: found.pages })}
              {found.ended && `, ${t("已结束")}`}
            </dd>
          </div>
        )}
        {found.signatures.toReversed().map(({ side, party, signedTime }) => (
          <div key={side}>
            <dt>{t(side === "customer" ? "甲方" : "乙方")}</dt>
            <dd>
              {party}
              <br />
              <span className="num">{t("{time} 签（北京时间）", { time: signedTime })}</span>
            </dd>
          </div>
        ))}
        <div>
          <dt>SHA-256</dt>
          <dd>
            <Hash hash={found.sha256} />
          </dd>
        </div>
      </dl>
      {!known && <p>{t("这个文件与签署时的不一样，或者不是在这里签的。请向对方要原件，再核验一次。")}</p>}
      {found.result === "damaged" && <p>{t("请用您自己保存的那一份为准，并联系客服。")}</p>}
      {found.result === "document" && <p>{t("这是签名页上印的哈希，指签署前的正文。要核对手里的文件，请选文件。")}</p>}
    </div>
  );
}

/** Whether a document was signed here: by its file, or by the hash on its signature page. */
export function VerifyPage({
  origin,
  hash,
  found,
  problem,
}: {
  origin: string;
  hash: string;
  found: Verification | undefined;
  problem: VerifyProblem | undefined;
}) {
  const t = useTranslate();
  return (
    <main id="main" className="content-page" data-page="verify">
      <SiteHead title={t("核验合同")} description={t(intro)} origin={origin} path={verifyPath} hidden={hash !== ""} />
      <div className="wrap">
        <header className="list-head">
          <h1>{t("这份合同是真的吗")}</h1>
          <p>{t(intro)}</p>
        </header>
        <div className="verify">
          <div className="verify-ask">
            <form method="post" action={verifyPath} encType="multipart/form-data" data-verify="">
              <label htmlFor="verify-file">
                <Icon name="sheet" />
                <span>
                  {t("选合同的 PDF")}
                  {/* The script shows the second one, which holds where it runs. */}
                  <small data-verify-plain="">{t("只取文件的哈希，不保存文件。")}</small>
                  <small data-verify-script="" hidden>
                    {t("文件不会上传，哈希在您的浏览器里算。")}
                  </small>
                </span>
              </label>
              <input id="verify-file" type="file" name="file" accept="application/pdf,.pdf" required />
              <button className="btn primary" type="submit">
                {t("核验文件")}
              </button>
            </form>
            <form method="get" action={verifyPath}>
              <label htmlFor="verify-hash">
                {t("或输入签名页上的哈希，前 {count} 位即可", { count: leastHashDigits })}
              </label>
              <input
                id="verify-hash"
                className="input"
                name="hash"
                defaultValue={hash}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={120}
                required
                aria-invalid={problem === "hash"}
                {...(problem && { "aria-describedby": "verify-problem" })}
              />
              <button className="btn" type="submit">
                {t("核验哈希")}
              </button>
            </form>
            {problem && (
              <p className="state critical" id="verify-problem" role="alert">
                <Mark name="critical" />
                {t(problemWords[problem])}
              </p>
            )}
          </div>
          <div className="verify-answer">
            {found ? (
              <Result found={found} />
            ) : (
              <>
                <h2>{t("怎么核验")}</h2>
                <ol>
                  <li>{t("签好的合同最后一页是签名页，写着签署人、时间和正文的哈希。")}</li>
                  <li>{t("选手里的 PDF，哪怕改过一个字，哈希也对不上。")}</li>
                  <li>{t("这里只说这一份签没签、什么时候、谁签的；姓名不写全，别的合同一概不说。")}</li>
                </ol>
              </>
            )}
          </div>
        </div>
      </div>
    </main>
  );
}
