import type { Endpoint, ReplyOf } from "@herdwise/contract";
import { noteRefusal } from "../session/access-changes.ts";
import { askConfirmation, NotConfirmed } from "../session/confirmation.ts";
import { expireSession } from "../session/expire.ts";
import { renewRefused } from "../session/renew.ts";
import { readSession } from "../session/storage.ts";
import { showToast } from "../states/toast-store.ts";
import { ApiError, isToldByCaller } from "./api-error.ts";
import { type SendOptions, send } from "./send.ts";

export interface CallOptions<E> extends SendOptions<E> {
  /** The caller shows a refusal in its own place, so no toast. */
  quiet?: boolean;
}

const forbiddenText = "没有访问权限，请联系管理员开通资源权限；开通后请退出并重新登录";

/**
 * Sends a request; when its access token is refused, renews the session once, together with every other request in
 * flight, and sends it again. Only a session that can't be renewed ends.
 */
async function sendInSession<E extends Pick<Endpoint, "method" | "path" | "form">>(
  endpoint: E,
  options: SendOptions<E>,
): Promise<ReplyOf<E>> {
  const refusedToken = readSession()?.token;
  try {
    return await send(endpoint, options);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 401 || !refusedToken) throw error;
    const standing = await renewRefused(refusedToken);
    if (standing === "offline") throw new ApiError(0, "网络连接失败，请检查网络后重试");
    if (standing === "renewed") {
      const renewedToken = readSession()?.token;
      try {
        return await send(endpoint, options);
      } catch (again) {
        // Refused although it is fresh: the session was ended elsewhere in between.
        if (again instanceof ApiError && again.code === 401 && readSession()?.token === renewedToken) expireSession();
        throw again;
      }
    }
    // Ended. Another tab's log-in or log-out in between is not this request's to undo.
    if (readSession()?.token === refusedToken) expireSession();
    throw error;
  }
}

/** Sends a request; where the server wants the own password first, asks for it and sends the request again. */
async function sendConfirmed<E extends Pick<Endpoint, "method" | "path" | "form">>(
  endpoint: E,
  options: SendOptions<E>,
): Promise<ReplyOf<E>> {
  try {
    return await sendInSession(endpoint, options);
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== "identity.confirm_first") throw error;
    await askConfirmation();
    return sendInSession(endpoint, options);
  }
}

/**
 * Calls an operation of the contract.
 * @returns the envelope's payload, or the whole answer of a bare operation
 * @throws ApiError when it is refused or no answer comes
 */
export async function call<E extends Pick<Endpoint, "method" | "path" | "form">>(
  endpoint: E,
  { quiet = false, ...options }: CallOptions<E> = {},
): Promise<ReplyOf<E>> {
  try {
    return await sendConfirmed(endpoint, options as SendOptions<E>);
  } catch (error) {
    if (error instanceof ApiError && error.reason === "permission.missing") noteRefusal();
    if (
      error instanceof ApiError &&
      !(error instanceof NotConfirmed) &&
      error.code !== 401 &&
      !quiet &&
      !isToldByCaller(error)
    ) {
      const { text, values } =
        error.code === 403 && error.reason !== "preview.read_only" ? { text: forbiddenText, values: {} } : error;
      showToast({ kind: "error", text, values, ...(error.code >= 500 && { requestId: error.requestId }) });
    }
    throw error;
  }
}
