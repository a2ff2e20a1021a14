import { type Endpoint, personalFieldPattern, tokenScopeOf } from "@herdwise/contract";

interface Node {
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
  patternProperties?: Record<string, Node>;
  $defs?: Record<string, Node>;
}

/** Names of all fields of a schema, at any depth. */
function fieldNamesOf(schema: unknown): Set<string> {
  const names = new Set<string>();
  const visit = (node: Node | undefined): void => {
    if (node === undefined) return;
    for (const [name, field] of Object.entries(node.properties ?? {})) {
      names.add(name);
      visit(field);
    }
    visit(node.items);
    for (const inner of [node.anyOf, node.patternProperties, node.$defs]) {
      for (const part of Object.values(inner ?? {})) visit(part);
    }
  };
  visit(schema as Node);
  return names;
}

/** Faults of an operation that personal access tokens open: what concerns an account, its rights or its proofs stays closed to them. */
function tokenFaults(endpoint: Endpoint): string[] {
  const scope = tokenScopeOf(endpoint);
  if (scope === undefined) return [];
  const { method, rate, form, owner, confirmation } = endpoint;
  const faults: string[] = [];
  if (owner !== "tenant" && owner !== "tenants") faults.push(`a token of ${scope} reaches rows of tenants alone`);
  if (confirmation !== undefined) faults.push("a token can confirm nothing");
  if (form !== "envelope" && form !== "download") faults.push("a token gets no stream, file or bare answer");
  if (scope.endsWith(":read") && (method !== "GET" || rate !== "read")) faults.push(`${scope} does more than read`);
  return faults;
}

/**
 * Faults in the declaration of an operation, in words; an empty list for none.
 * The router refuses to serve an operation with faults, so that a mistake stops the start instead of affecting a customer.
 */
export function manifestFaults(endpoint: Endpoint): string[] {
  const { access, owner, personal, reply, confirmation, form, mediaTypes = [] } = endpoint;
  const faults = tokenFaults(endpoint);
  const open = access.level === "public";
  if (open && (owner === "tenant" || owner === "tenants")) faults.push("rows of a tenant need a session");
  if (owner === "group" && access.level !== "permission")
    faults.push("rows of the whole installation need a permission");
  if (owner === "named" && !open) faults.push("a signed-in operation finds its rows by the session, not by a name");
  if (open && confirmation !== undefined) faults.push("who has no session can confirm nothing");
  if ((form === "download") !== mediaTypes.length > 0) faults.push("a download, and nothing else, has media types");
  const fields = fieldNamesOf(reply);
  for (const field of fields) {
    if (personalFieldPattern.test(field) && !(field in personal))
      faults.push(`the personal field ${field} is undeclared`);
  }
  for (const [field, rule] of Object.entries(personal)) {
    if (!fields.has(field)) faults.push(`the reply has no field ${field}`);
    if (rule === "own" && !["self", "proof", "tenant", "tenants"].includes(owner))
      faults.push(`${field} is nobody's own here`);
    if (rule === "granted" && access.level !== "permission") faults.push(`no permission grants ${field}`);
    if (rule === "invented" && owner !== "nobody") faults.push(`${field} is not invented where rows are somebody's`);
  }
  return faults;
}
