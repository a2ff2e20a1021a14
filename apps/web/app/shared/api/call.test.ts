import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

/** What a browser gives: one storage and one set of locks for all tabs, a fetch that reaches the server. */
const storage = () => {
  const held = new Map<string, string>();
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
    clear: () => held.clear(),
  };
};
type LockWork = (lock: object | null) => Promise<unknown>;
function locks() {
  let last: Promise<unknown> = Promise.resolve();
  let held = 0;
  const grant = (work: LockWork): Promise<unknown> => {
    held += 1;
    const mine = last
      .then(() => work({}))
      .finally(() => {
        held -= 1;
      });
    last = mine.catch(() => undefined);
    return mine;
  };
  return {
    request: (_name: string, options: { ifAvailable: true } | LockWork, work?: LockWork) => {
      if (typeof options === "function") return grant(options);
      return work && (held === 0 ? grant(work) : work(null));
    },
  };
}
const answer = (status: number, body: unknown) => ({
  status,
  ok: status === 200,
  json: async () => body,
  headers: new Headers(),
});

const page = { pathname: "/selfCenter/home", search: "", replaced: [] as string[] };
const server = {
  valid: "second",
  refreshes: 0,
  refused: 0,
  answered: 0,
  refresh: "good" as "good" | "refused" | "away",
};
const endpoint = { method: "GET", path: "/api/muyuan-farm/tree", form: "envelope" } as const;

async function fakeFetch(address: string, init: { headers: Record<string, string>; body?: string }) {
  await new Promise((resolve) => setTimeout(resolve, 1));
  if (address.endsWith("/oauth/token")) {
    server.refreshes += 1;
    const given = new URLSearchParams(init.body).get("refresh_token");
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (server.refresh === "away") throw new TypeError("Failed to fetch");
    if (server.refresh === "refused" || given !== "refresh-1")
      return answer(400, { error: "invalid_grant", error_description: "令牌授权已过期" });
    return answer(200, { access_token: "second", refresh_token: "refresh-2", tenant_id: "000001" });
  }
  if (init.headers["Muyuan-Auth"] !== `bearer ${server.valid}`) {
    server.refused += 1;
    return answer(401, { code: 401, msg: "请求未授权", data: null });
  }
  server.answered += 1;
  return answer(200, { code: 200, success: true, data: address, msg: "操作成功" });
}

/** A tab: modules of its own. */
async function openTab() {
  vi.resetModules();
  const [{ call }, { toastStore }, unsaved] = await Promise.all([
    import("./call.ts"),
    import("../states/toast-store.ts"),
    import("../session/unsaved.ts"),
  ]);
  return { get: () => call(endpoint as never), toasts: () => toastStore.read().length, unsaved };
}

beforeEach(() => {
  Object.assign(server, { valid: "second", refreshes: 0, refused: 0, answered: 0, refresh: "good" });
  page.replaced = [];
  vi.stubGlobal("localStorage", storage());
  vi.stubGlobal("sessionStorage", storage());
  vi.stubGlobal("navigator", { locks: locks(), userAgent: "Windows" });
  vi.stubGlobal("location", {
    ...page,
    origin: "https://farm.test",
    replace: (address: string) => page.replaced.push(address),
  });
  vi.stubGlobal("fetch", fakeFetch);
  const target = new EventTarget();
  vi.stubGlobal("addEventListener", target.addEventListener.bind(target));
  vi.stubGlobal("removeEventListener", target.removeEventListener.bind(target));
  localStorage.setItem("token", "first");
  localStorage.setItem("refresh_token", "refresh-1");
  localStorage.setItem("tenant_id", "000001");
});
afterEach(() => vi.unstubAllGlobals());

describe("an access token that the server refuses", () => {
  it("200 requests in flight cause one refresh, no toast and no lost answer", async () => {
    const { get, toasts } = await openTab();
    const answers = await Promise.all(Array.from({ length: 200 }, get));
    expect(answers).toEqual(Array.from({ length: 200 }, () => endpoint.path));
    expect(server).toMatchObject({ refreshes: 1, refused: 200, answered: 200 });
    expect([toasts(), page.replaced.length]).toEqual([0, 0]);
    expect(localStorage.getItem("refresh_token")).toBe("refresh-2");
  });

  it("two tabs at once refresh once, and both stay signed in", async () => {
    const tabs = [await openTab(), await openTab()];
    const answers = await Promise.all(tabs.flatMap(({ get }) => Array.from({ length: 50 }, get)));
    expect(answers).toHaveLength(100);
    expect(server.refreshes).toBe(1);
    expect(page.replaced).toEqual([]);
  });

  it("works without Web Locks, as on plain http", async () => {
    vi.stubGlobal("navigator", { userAgent: "Windows" });
    const { get } = await openTab();
    await Promise.all(Array.from({ length: 20 }, get));
    expect(server.refreshes).toBe(1);
  });

  it("a session that can't be renewed ends once, whoever asked, and comes back to this page", async () => {
    server.refresh = "refused";
    const { get, toasts } = await openTab();
    const results = await Promise.allSettled(Array.from({ length: 20 }, get));
    expect(results.every(({ status }) => status === "rejected")).toBe(true);
    expect(server.refreshes).toBe(1);
    expect(page.replaced).toEqual([
      `/login?${new URLSearchParams({ redirect: JSON.stringify({ name: "self_home" }), expired: "1" })}`,
    ]);
    expect(localStorage.getItem("token")).toBeNull();
    expect(toasts()).toBe(0);
  });

  it("no answer from the network never logs out", async () => {
    server.refresh = "away";
    const { get } = await openTab();
    await expect(get()).rejects.toMatchObject({ code: 0 });
    expect(localStorage.getItem("token")).toBe("first");
    expect(page.replaced).toEqual([]);
    server.refresh = "good";
    await expect(get()).resolves.toBe(endpoint.path);
  });

  it("with unsent text on the page asks to log in again instead of leaving", async () => {
    server.refresh = "refused";
    const { get, unsaved } = await openTab();
    let asked = 0;
    unsaved.onLogInAgain(() => {
      asked += 1;
    });
    const clean = unsaved.markUnsaved();
    await Promise.allSettled([get(), get()]);
    expect([asked > 0, page.replaced.length]).toEqual([true, 0]);
    clean();
  });

  it("is tried once more, not for ever, when the fresh token is refused too", async () => {
    server.valid = "never";
    const { get } = await openTab();
    await expect(get()).rejects.toMatchObject({ code: 401 });
    expect(server).toMatchObject({ refreshes: 1, refused: 2 });
    expect(page.replaced).toHaveLength(1);
  });
});
