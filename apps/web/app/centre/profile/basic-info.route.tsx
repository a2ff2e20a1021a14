import {
  type Address,
  addressDetail,
  addressLength,
  addressSave,
  normalizePersonName,
  type Profile,
  profileDetail,
  updateInfo,
} from "@herdwise/contract";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { CopyButton } from "../../shared/forms/copy-button.tsx";
import { DayField } from "../../shared/forms/date-fields.tsx";
import { Label, TextField } from "../../shared/forms/fields.tsx";
import { SubmitForm } from "../../shared/forms/submit-form.tsx";
import "../../shared/forms/forms.css";
import { Problem } from "../../shared/forms/problem.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Button } from "../../shared/kit/button.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { RegionChoice } from "../../shared/resource/region-input.tsx";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { Avatar } from "./avatar.tsx";
import styles from "./basic-info.module.css";

const sexes = [
  { value: 1, name: "男" },
  { value: 2, name: "女" },
  { value: 3, name: "不说" },
] as const;

/** Nickname, real name and the rest that a person tells by themselves. */
function OwnWords({ profile, onSaved }: { profile: Profile; onSaved: () => void }) {
  const t = useTranslate();
  const { form, busy, refused, problems, mend, submit } = useSubmission();
  const held = {
    name: profile.nickName,
    realName: profile.realName,
    sex: profile.sex,
    birthday: profile.birthday,
  };
  const [values, setValues, forget] = useDraft(`${profile.id}_own-words`, held);
  const changed = Object.entries(values).filter(([key, value]) => held[key as keyof typeof held] !== value);
  useUnsaved(changed.length > 0);
  const set = (key: keyof typeof held, value: string | number): void => {
    setValues({ [key]: value });
    mend(key);
  };
  const save = () =>
    submit(async () => {
      await call(updateInfo, { body: Object.fromEntries(changed), quiet: true });
      showToast({ kind: "ok", text: "基本信息已保存" });
      forget();
      onSaved();
    });
  return (
    <section className="card" aria-labelledby="own-title">
      <header>
        <h2 id="own-title">{t("个人信息")}</h2>
      </header>
      <SubmitForm form={form} className={styles.form} send={save}>
        <div className={styles.two}>
          <TextField
            id="nick-name"
            label={t("昵称")}
            required
            maxLength={60}
            autoComplete="nickname"
            value={values.name}
            onChange={(value) => set("name", value)}
            problem={problems.name}
            hint={t("显示在页面右上角和工单里")}
          />
          <TextField
            id="real-name"
            label={t("姓名")}
            maxLength={40}
            autoComplete="name"
            value={values.realName}
            onBlur={() => values.realName !== held.realName && set("realName", normalizePersonName(values.realName))}
            onChange={(value) => set("realName", value)}
            problem={problems.realName}
            hint={t("2 到 5 个字，有间隔号（·）或字母的到 30 个字符；同事按它找到您")}
          />
          <div className="form-field">
            <Label id="sex" label={t("性别")} />
            <fieldset className="seg" aria-label={t("性别")}>
              {sexes.map(({ value, name }) => (
                <button key={value} type="button" aria-pressed={values.sex === value} onClick={() => set("sex", value)}>
                  {t(name)}
                </button>
              ))}
            </fieldset>
          </div>
          <DayField
            id="birthday"
            label={t("生日")}
            value={values.birthday}
            onChange={(value) => set("birthday", value)}
            problem={problems.birthday}
          />
        </div>
        <Problem id="own-problem" text={Object.keys(problems).length > 0 ? undefined : refused} />
        <div className={styles.go}>
          <Button isDisabled={changed.length === 0 || busy} onPress={() => setValues(held)}>
            {t("还原")}
          </Button>
          <Button kind="primary" type="submit" isDisabled={changed.length === 0 || busy}>
            {t("保存")}
          </Button>
        </div>
      </SubmitForm>
    </section>
  );
}

/** Where deliveries and letters go. */
function PostalAddress({ owner, address, onSaved }: { owner: string; address: Address; onSaved: () => void }) {
  const t = useTranslate();
  const { form, busy, refused, problems, mend, submit } = useSubmission();
  const [{ code, text }, set, forget] = useDraft(`${owner}_address`, {
    code: address.regionCode,
    text: address.address,
  });
  const changed = code !== address.regionCode || text !== address.address;
  useUnsaved(changed);
  const save = () =>
    submit(async () => {
      await call(addressSave, { body: { regionCode: code, address: text }, quiet: true });
      showToast({ kind: "ok", text: "联系地址已保存" });
      forget();
      onSaved();
    });
  return (
    <section className="card" aria-labelledby="address-title">
      <header>
        <h2 id="address-title">{t("联系地址")}</h2>
        <span className="age">{t("返厂寄回、合同邮寄用")}</span>
      </header>
      <SubmitForm form={form} className={styles.form} send={save}>
        <div className="form-field">
          <Label id="address-region" label={t("所在地区")} />
          <RegionChoice
            id="address-region"
            label={t("所在地区")}
            code={code}
            describedBy="address-region-problem"
            problem={problems.regionCode}
            onChange={(value) => {
              set({ code: value });
              mend("regionCode");
            }}
          />
          <Problem id="address-region-problem" text={problems.regionCode} />
        </div>
        <TextField
          id="address-text"
          label={t("详细地址")}
          maxLength={addressLength}
          autoComplete="street-address"
          value={text}
          onChange={(value) => {
            set({ text: value });
            mend("address");
          }}
          problem={problems.address}
        />
        <Problem id="address-problem" text={Object.keys(problems).length > 0 ? undefined : refused} />
        <div className={styles.go}>
          <Button kind="primary" type="submit" isDisabled={!changed || busy}>
            {t("保存")}
          </Button>
        </div>
      </SubmitForm>
    </section>
  );
}

/** What the portal knows of the account and the person does not change here. */
function Facts({ profile }: { profile: Profile }) {
  const t = useTranslate();
  const none = t("没有绑");
  return (
    <section className="card" aria-labelledby="facts-title">
      <header>
        <h2 id="facts-title">{t("账号")}</h2>
      </header>
      <dl className={styles.facts}>
        <div>
          <dt>{t("登录名")}</dt>
          <dd>{profile.account}</dd>
        </div>
        <div>
          <dt>{t("账号 ID")}</dt>
          <dd className="num">
            {profile.id} <CopyButton text={profile.id} label={t("复制账号 ID")} />
          </dd>
        </div>
        <div>
          <dt>{t("所属")}</dt>
          <dd>
            <Translated text={profile.tenantName} />
          </dd>
        </div>
        <div>
          <dt>{t("绑定手机")}</dt>
          <dd className="num">
            {profile.phone || none} <Link to="/selfCenter/safeManage?open=phone">{t("换号")}</Link>
          </dd>
        </div>
        <div>
          <dt>{t("邮箱")}</dt>
          <dd>
            {profile.email || none}{" "}
            <Link to="/selfCenter/safeManage?open=email">{t(profile.email === "" ? "绑定" : "换邮箱")}</Link>
          </dd>
        </div>
        <div>
          <dt>{t("微信")}</dt>
          <dd>
            <Link to="/selfCenter/news#message-settings">{t("绑定或解绑")}</Link>
          </dd>
        </div>
        <div>
          <dt>{t("开通时间")}</dt>
          <dd className="num">{profile.createTime.slice(0, 10)}</dd>
        </div>
      </dl>
    </section>
  );
}

/** Basic information: picture, names, address, and what stands fast. */
export default function BasicInfo() {
  const t = useTranslate();
  const profile = useLoad("profile", (signal) => call(profileDetail, { signal, quiet: true }));
  const address = useLoad("address", (signal) => call(addressDetail, { signal, quiet: true }));
  const [saved, setSaved] = useState(0);
  const reload = (): void => {
    profile.reload();
    address.reload();
    setSaved((count) => count + 1);
  };
  const [shown, setShown] = useState<{ profile: Profile; address: Address; of: number }>();
  useEffect(() => {
    if (profile.value && address.value) setShown({ profile: profile.value, address: address.value, of: saved });
  }, [profile.value, address.value, saved]);
  const problem = profile.error ?? address.error;
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("基本信息")}</h1>
      </div>
      {problem && <LoadingProblem error={problem} onRetry={reload} what={t("基本信息")} kept={shown !== undefined} />}
      {!shown && !problem && (
        <section className="card" role="status">
          <p className="calm">
            <span className="visually-hidden">{t("正在加载")}</span>
            <Skeleton width={24} />
          </p>
        </section>
      )}
      {shown && (
        <div className={styles.page}>
          <div>
            <Avatar profile={shown.profile} onSaved={reload} />
            <OwnWords key={JSON.stringify(shown.profile)} profile={shown.profile} onSaved={reload} />
            <PostalAddress
              key={JSON.stringify(shown.address)}
              owner={shown.profile.id}
              address={shown.address}
              onSaved={reload}
            />
          </div>
          <Facts profile={shown.profile} />
        </div>
      )}
    </>
  );
}
