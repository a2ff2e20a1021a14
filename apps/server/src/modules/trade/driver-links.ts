import { randomBytes, timingSafeEqual } from "node:crypto";
import {
  driverCookie,
  driverLinkDetail,
  driverLinkHeader,
  driverLinkMake,
  driverLinkRevoke,
  driverOpen,
  driverPage,
  driverPhoto,
  driverPhotoTicket,
  driverSend,
  uploadRules,
} from "@herdwise/contract";
import { shanghaiMidnight } from "@herdwise/contract/shanghai";
import { Refusal, refuse } from "../../http/errors.ts";
import type { Session } from "../../http/session.ts";
import type { ServerModule } from "../../module.ts";
import { spend } from "../../providers/budget.ts";
import type { SmsMessage } from "../../providers/sms/sms.ts";
import { scoped } from "../../resources/index.ts";
import { memberScope, systemScope, type TenantScope } from "../../tenant-scope.ts";
import { auditRepository } from "../audit/index.ts";
import { type ArrivingFile, ticketCookie } from "../files/index.ts";
import { type TradeContext, tradeSystem } from "./context.ts";
import { driverRepository, type LinkRow } from "./driver.repository.ts";
import { driverEntries, tripOf } from "./driver-entries.ts";
import { driverSecret, driverTokenHash } from "./driver-secret.ts";
import { renewFlags } from "./positions.ts";
import type { TransitModule } from "./transits.ts";

const dayMs = 86_400_000;
/** After the loading day, days. */
const openDays = 3;
/** A phone that claimed a link is known so long, s. */
const deviceS = 30 * 86_400;
/** Photos of one link. */
const mostPhotos = 40;
/** Calls of one link within a minute. */
const linkBudget = { max: 120, windowS: 60 };

const photosOfLinks = systemScope(
  "a photo of a driver is a file of whoever made the link, shown to whoever may see the vehicle",
);

/** Of the phone that has a link: another hash for each link. */
const deviceHash = (token: string, device: string): Buffer => driverTokenHash(`${token} ${device}`);
/** What may be a secret; anything longer is none. */
const hashOf = (token: string): Buffer => driverTokenHash(token.slice(0, 100));

/** Links by which drivers act without an account, and what people of the order see of them. */
export function driverLinkModule(
  context: TradeContext,
  transits: TransitModule,
  notify: (message: SmsMessage, remoteAddress: string) => Promise<void>,
): ServerModule {
  const { platform, files } = context;
  const { kysely, config, secretKey, personalCipher, nextId, now, store } = platform;
  const rows = driverRepository(kysely);
  const take = driverEntries(platform, transits);
  const secretOf = (id: string): string => driverSecret(secretKey, id);
  const urlOf = (token: string): string => `${config.publicUrl}${driverPage}#${token}`;

  /**
   * The link of a secret, for the phone that has it.
   * @throws {Refusal} 404 for a secret that is wrong or over, 409 for another phone
   */
  const reach = async (token: string, device: string | undefined): Promise<LinkRow> => {
    const link = await rows.byToken(tradeSystem, hashOf(token));
    if (link === undefined) throw refuse("driver.unknown");
    const own = link.deviceHash;
    if (own === null || device === undefined || !timingSafeEqual(own, deviceHash(token, device)))
      throw refuse("driver.other_phone");
    if (!(await spend(store, `driver:${link.id}`, [linkBudget]))) throw refuse("rate.spent");
    return link;
  };

  /** Gives a link that no phone has to this one. @returns the secret of the phone */
  const claim = async (token: string, device: string | undefined): Promise<string | undefined> => {
    const link = await rows.byToken(tradeSystem, hashOf(token));
    if (link === undefined || link.deviceHash !== null) return device;
    const known = device !== undefined && /^[\w-]{43}$/.test(device) ? device : randomBytes(32).toString("base64url");
    await rows.claim(tradeSystem, link.id, deviceHash(token, known));
    return known;
  };

  const audit = (db: Parameters<typeof auditRepository>[0], scope: TenantScope, of: Held, after: string) =>
    auditRepository(db).append(
      of.tenantId,
      scope,
      [
        {
          resource: "transit",
          rowId: of.id,
          rowTitle: of.number,
          action: "update",
          changes: [{ field: "driverLink", before: null, after }],
        },
      ],
      nextId,
    );
  type Held = NonNullable<Awaited<ReturnType<typeof rows.held>>>;

  const make = async (scope: TenantScope, id: string, send: boolean) => {
    const linkId = nextId();
    const token = secretOf(linkId);
    const of = await kysely.transaction().execute(async (transaction) => {
      const own = driverRepository(transaction);
      const held = await own.held(scope, id);
      if (held === undefined) throw refuse("process.not_found");
      if (["arrived", "closed", "cancelled"].includes(held.state)) throw refuse("driver.over");
      await own.revoke(scope, id);
      // A vehicle that is late gets a day.
      const until = Math.max(shanghaiMidnight(held.day) + (openDays + 1) * dayMs, now() + dayMs);
      await own.add(scope, held, { id: linkId, tokenHash: driverTokenHash(token), expiresAt: new Date(until) });
      await audit(transaction, scope, held, "made");
      return held;
    });
    const answer = { url: urlOf(token), sent: false, problem: "" };
    if (!send) return answer;
    try {
      const phone = personalCipher.decrypt(of.phone);
      await notify({ phone, kind: "driver-link", variables: { plate: of.plate, code: token } }, scope.remoteAddress);
      await rows.sent(scope, linkId);
      return { ...answer, sent: true };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { ...answer, problem: String(error.answer.text) };
    }
  };

  const revoke = (scope: TenantScope, id: string) =>
    kysely.transaction().execute(async (transaction) => {
      const own = driverRepository(transaction);
      const held = await own.held(scope, id);
      if (held === undefined) throw refuse("process.not_found");
      if (await own.revoke(scope, id)) await audit(transaction, scope, held, "revoked");
      return {};
    });

  const detail = async (scope: TenantScope, id: string, mayEdit: boolean) => {
    const [found, entries] = await Promise.all([rows.linkOf(scope, id), rows.entriesOf(scope, id)]);
    if (found === undefined) return { entries };
    const { id: linkId, tokenHash, ...link } = found;
    const token = secretOf(linkId);
    const url = mayEdit && timingSafeEqual(tokenHash, driverTokenHash(token)) ? urlOf(token) : "";
    return { link: { ...link, url }, entries };
  };

  const keepPhoto = async (link: LinkRow, key: string, file: ArrivingFile) => {
    // Sent again after a break: it is there.
    if ((await rows.photoOf(tradeSystem, link.id, key)) !== undefined) return {};
    if ((await rows.photosOf(tradeSystem, link.id)) >= mostPhotos) throw refuse("driver.photos");
    const owner = memberScope(photosOfLinks, { accountId: link.createdBy, tenantId: link.createdTenant });
    const { attachId } = await files.upload(owner, { ...file, name: `${link.number}.jpg` }, "private");
    if (!(await rows.keepPhoto(tradeSystem, link, { id: nextId(), key, attachmentId: attachId })))
      await files.discard(owner, [attachId]);
    return {};
  };

  const ticket = async (session: Session, scope: TenantScope, photo: string) => {
    const owner = await rows.photoOwner(scope, photo);
    if (owner === undefined) throw refuse("files.not_found");
    return files.ticketOf(session, memberScope(photosOfLinks, owner), owner.attachmentId);
  };

  return {
    routes(router) {
      router.on(driverOpen, async ({ header, cookie, setCookie }) => {
        const token = header(driverLinkHeader) ?? "";
        const device = await claim(token, cookie(driverCookie.name));
        const link = await reach(token, device);
        setCookie(driverCookie.name, device ?? "", deviceS, driverCookie.path);
        return tripOf(platform, link);
      });
      router.on(driverSend, async ({ header, cookie, body }) => {
        const [token, device] = [header(driverLinkHeader) ?? "", cookie(driverCookie.name)];
        const link = await reach(token, device);
        const outcomes = [];
        for (const entry of body.entries) outcomes.push(await take(link, entry));
        // Where it was, when it departed and when it arrived says what is to be looked at.
        if (body.entries.some(({ act, position }) => position || act === "depart" || act === "arrive"))
          await renewFlags(kysely, link.transit);
        // What closed it was one of them.
        const after = (await rows.byToken(tradeSystem, hashOf(token))) ?? link;
        return { trip: await tripOf(platform, after), outcomes };
      });
      router.upload(driverPhoto, uploadRules.picture.maxBytes, async ({ header, cookie, query }, file) =>
        keepPhoto(await reach(header(driverLinkHeader) ?? "", cookie(driverCookie.name)), query.key, file),
      );
      router.on(driverLinkDetail, ({ session, scope, query }) =>
        detail(scoped(scope), query.id, session.permissions.has("transit_edit")),
      );
      router.on(driverLinkMake, ({ scope, body }) => make(scoped(scope), body.id, body.send));
      router.on(driverLinkRevoke, ({ scope, body }) => revoke(scoped(scope), body.id));
      router.on(driverPhotoTicket, async ({ session, scope, body, setCookie }) => {
        const { browserMark, ...given } = await ticket(session, scoped(scope), body.id);
        setCookie(ticketCookie.name, browserMark, given.expiresIn, ticketCookie.path);
        return given;
      });
    },
  };
}
