import type { Kysely } from "kysely";
import type { DB } from "../generated/database.ts";

interface AgreementSeed {
  /** Fixed id, so that seeding again adds nothing. */
  id: string;
  kind: "user" | "privacy";
  version: string;
  publishedAt: Date;
  texts: Record<"zh" | "en", { title: string; body: string }>;
}

const paragraphs = (...texts: string[]): string => texts.join("\n\n");

/** First versions of both agreements in plain paragraphs; operators publish later versions themselves. */
export const agreementSeeds: readonly AgreementSeed[] = [
  {
    id: "1560000000000005001",
    kind: "user",
    version: "1.0",
    publishedAt: new Date("2026-01-01T00:00:00+08:00"),
    texts: {
      zh: {
        title: "用户协议",
        body: paragraphs(
          "欢迎使用本平台。本平台由平台运营方提供，面向猪场、养殖户及合作企业，提供设备监测与控制、养殖数据管理、售后服务、生猪交易等服务。注册或使用本平台，即表示您已阅读并同意本协议；如不同意，请停止注册或使用。",
          "一、账号。您应当使用本人或本单位的真实手机号注册，并妥善保管账号、密码和验证码。不得将账号出借、转让或用于为他人骗取服务。通过您的账号进行的操作视为您本人的操作；发现账号被盗用时，请立即修改密码、结束其他登录并联系客服。",
          "二、实名认证。购买产品、绑定设备、参与竞价等服务需要完成实名认证。您应当提供真实、准确、完整的资料并及时更新。资料不实的，本平台可以暂停相应服务。",
          "三、设备与控制。本平台展示的环境、健康和设备数据来自您绑定的设备，受传感器精度、网络和供电影响，仅供生产管理参考，不能代替现场巡视和兽医诊断。您通过本平台下发的控制指令由您负责，请在确认舍内人员和猪只安全后操作，并保留现场手动控制和应急供电手段。",
          "四、使用规范。您不得上传违法、侵权或虚假的内容，不得干扰本平台运行，不得绕过权限访问他人数据，不得对本平台进行未经授权的批量抓取。违反的，本平台可以限制功能、暂停或终止服务，并保留追究责任的权利。",
          "五、数据归属。您的养殖数据和设备数据归您所有。您授权本平台为提供、维护和改进服务而处理这些数据。经汇总且无法识别您和您的猪场的统计数据，本平台可以用于公开展示和行业研究。",
          "六、服务变更与责任。本平台会尽力保持服务连续，但因设备维护、网络故障、不可抗力等原因可能中断。除法律另有规定外，本平台不对因依赖平台数据、未及时处理报警或停电停网造成的间接损失承担责任。",
          "七、注销。您可以随时申请注销账号。我们会说明注销的影响，并在三个工作日内答复。注销后，除法律要求保留的内容外，您的个人信息将被删除或匿名化。",
          "八、协议更新与争议。本协议更新后，会在您下次登录时请您再次确认。本协议适用中华人民共和国法律；发生争议的，双方应友好协商，协商不成的，向运营方所在地人民法院提起诉讼。",
        ),
      },
      en: {
        title: "User agreement",
        body: paragraphs(
          "Welcome to the platform. It is provided by its operator for pig farms, keepers and partner companies and offers monitoring and control of devices, management of farm data, after-sales service and trade in pigs. By registering or using the platform you state that you have read and accept this agreement; if you do not accept it, please do not register or use the platform.",
          "1. Account. Register with a mobile number of your own or of your company, and keep account, password and codes safe. Do not lend or transfer the account or use it to obtain services for others by deceit. What is done through your account counts as done by you. If you find that somebody else uses it, change the password, end the other sessions and contact customer service at once.",
          "2. Real-name authentication. Buying products, binding devices and bidding need a completed real-name authentication. Give true, accurate and complete information and keep it current. Where it is untrue, the platform may suspend these services.",
          "3. Devices and control. Figures on climate, health and equipment come from the devices that you bound. They depend on the accuracy of sensors, on network and power, serve the management of production as a reference, and replace neither a walk through the barn nor a veterinarian’s diagnosis. You are responsible for the commands that you send: make sure that people and animals in the barn are safe, and keep manual control and emergency power at hand.",
          "4. Rules of use. Do not upload unlawful, infringing or false content, do not disturb the platform, do not get around permissions to reach the data of others, and do not collect its content in bulk without authorization. Otherwise the platform may limit functions, suspend or end the service and take legal steps.",
          "5. Data. Your farm data and device data belong to you. You allow the platform to process them to provide, maintain and improve the service. Statistics that are aggregated and identify neither you nor your farm may be shown publicly and used for research.",
          "6. Changes and liability. We do our best to keep the service running, but maintenance, network faults and events beyond our control may interrupt it. Unless the law says otherwise, the platform is not liable for indirect losses from reliance on its figures, from alarms that were not dealt with in time, or from power and network failures.",
          "7. Cancellation. You may ask for the cancellation of your account at any time. We explain what it affects and answer within three working days. Afterwards your personal information is erased or anonymized, except what the law requires us to keep.",
          "8. Updates and disputes. When this agreement changes, you are asked to read and confirm it the next time you sign in. It is governed by the law of the People’s Republic of China. Disputes are to be settled amicably and otherwise by the people’s court at the operator’s seat.",
        ),
      },
    },
  },
  {
    id: "1560000000000005002",
    kind: "privacy",
    version: "1.0",
    publishedAt: new Date("2026-01-01T00:00:00+08:00"),
    texts: {
      zh: {
        title: "隐私政策",
        body: paragraphs(
          "我们重视您的个人信息。本政策说明本平台收集哪些信息、为什么收集、如何保护，以及您的权利。",
          "一、我们收集的信息。注册和登录时：用户名、手机号、密码的加密摘要、登录时间、网络地址和浏览器类型。实名认证时：姓名、证件号码、企业资料和收款账户。使用过程中：您填写的猪场、工单和订单资料，以及您绑定的设备上报的数据。我们不收集与服务无关的信息。",
          "二、使用目的。手机号用于验证身份、找回账号和重要通知；登录记录用于保护账号安全；实名资料用于法律要求的身份核验和交易结算；设备数据用于监测、告警和分析。未经您同意，我们不会用于其他目的。",
          "三、存储与保护。信息存储在中华人民共和国境内。密码只保存不可还原的摘要；手机号、证件号码和银行卡号加密保存，在页面和日志中以掩码显示；查看完整信息需要权限并留下记录。信息的保存期限以实现目的所必需为限。",
          "四、保存多久。账号使用期间，账户、猪场和订单资料一直保存，直到您删除或注销。设备数据默认这样保存：原始数据 90 天，分钟汇总 1 年，小时汇总 5 年，按天汇总长期保存；告警结束 3 年后删除。注销后，法律要求留存的另行加密保存：实名资料和同意记录 3 年，付款记录 10 年，登录记录 6 个月；到期删除，期间不作他用。",
          "五、共享与委托。我们不出售个人信息。发送短信、核验身份、支付结算等服务由受托方处理必要的信息，并受保密约束。您授权第三方应用登录时，我们只提供您同意的范围，您可以随时撤销。法律要求提供的，我们依法处理。",
          "六、访问统计。我们记录页面名称、路径、来源、语言和停留时间，用于改进产品，不包含您的身份信息，也不与第三方共享。本地存储和必要的 Cookie 只用于保持登录、记住偏好和保护账号。",
          "七、您的权利。您可以查看和更正资料、查看并结束自己的登录、撤销授权、注销账号，并可以向客服提出其他请求，我们会在三个工作日内答复。",
          "八、未成年人。本平台面向成年人的生产经营活动。我们不会有意收集未成年人的信息，发现后会删除。",
          "九、更新与联系。本政策更新后，会在您下次登录时请您再次确认。如有疑问，请通过客服电话或意见反馈与我们联系。",
        ),
      },
      en: {
        title: "Privacy policy",
        body: paragraphs(
          "Your personal information matters to us. This policy says which information the platform collects, why, how it is protected, and what your rights are.",
          "1. What we collect. At registration and log-in: login name, mobile number, an encrypted digest of the password, time of log-in, network address and type of browser. For real-name authentication: name, ID number, company details and settlement account. In use: what you enter about farms, work orders and orders, and what your devices report. We collect nothing that the service does not need.",
          "2. Why we use it. The mobile number serves to verify you, to recover accounts and for important notices; records of log-ins protect your account; authentication data serve the verification and settlement that the law asks for; device data serve monitoring, alarms and analysis. We use nothing for other purposes without your consent.",
          "3. Storage and protection. Information is stored within the People’s Republic of China. Of passwords only a digest is kept that can’t be reversed. Mobile, ID and bank card numbers are encrypted and shown masked on screens and in logs; seeing them in full needs a permission and leaves a record. Information is kept no longer than its purpose requires.",
          "4. How long we keep it. While you use the account, what belongs to it, to farms and to orders stays until you delete it or cancel. Device data are by default kept like this: raw values for 90 days, minutes for a year, hours for five years, days for good; alarms are removed three years after their end. After a cancellation, what the law requires us to keep is kept apart and encrypted: authentication and consents for three years, payments for ten years, log-ins for six months. It is then erased and meanwhile used for nothing else.",
          "5. Sharing. We do not sell personal information. Providers that send SMS, verify identities or settle payments process what is necessary for it and are bound to confidentiality. When you let another application in, it gets the scopes that you agree to, and you may take that back at any time. Where the law requires disclosure, we follow the law.",
          "6. Visits. We record name and path of a page, where you came from, language and time spent, to improve the product; this holds nothing about who you are and is not shared. Local storage and the necessary cookies keep you signed in, remember your preferences and protect your account.",
          "7. Your rights. You may see and correct your information, see and end your sessions, withdraw authorizations and cancel the account, and make other requests to customer service, which we answer within three working days.",
          "8. Minors. The platform serves the business of adults. We do not knowingly collect information of minors and delete it when we find it.",
          "9. Updates and contact. When this policy changes, you are asked to read and confirm it the next time you sign in. For questions please reach us by the service phone or the feedback page.",
        ),
      },
    },
  },
];

/** Adds missing versions. */
export async function seedAgreements(db: Kysely<DB>): Promise<void> {
  await db.transaction().execute(async (to) => {
    for (const { id, kind, version, publishedAt, texts } of agreementSeeds) {
      await to
        .insertInto("agreementVersions")
        .values({ id, kind, version, publishedAt })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await to
        .insertInto("agreementTexts")
        .values(Object.entries(texts).map(([lang, text]) => ({ versionId: id, lang, ...text })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  });
}
