import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const commands: Tests = { files: ["tests/api/commands.test.ts"] };
const protocol: Tests = { files: ["tests/api/device-protocol.test.ts"] };
const topics: Tests = { files: ["tests/threats/device-topics.test.ts"] };
const modules = "apps/server/src/modules";

const delivery: Tests = { files: ["apps/server/src/modules/commands/parameter-delivery.test.ts"] };

export const commandMutants: Mutant[] = [
  ...faultsIn(`${modules}/commands/parameter-delivery.service.ts`, delivery, [
    [
      "settings: a quick refusal is compared before it was noted that something was sent",
      "await noting.get(deviceId);",
      "",
    ],
  ]),
  ...faultsIn(`${modules}/commands/command.service.ts`, commands, [
    ["commands: no confirmation", "if (declared.confirm && body.confirmed !== true)", "if (body.confirmed === false)"],
    ["commands: any range", "= checkCommandFields(declared.fields, params);", "= [];"],
    [
      "commands: nobody is told",
      "if (declared.confirm && !quiet) await announce(",
      "if (declared.fields.length > 99) await announce(",
    ],
  ]),
  ...faultsIn(`${modules}/commands/command-protocol.repository.ts`, commands, [
    [
      "commands: a final state changes",
      "and request_id = ${requestId} and finished_at is null",
      "and request_id = ${requestId}",
    ],
    [
      "commands: several at a time",
      "where o.device_id = ${deviceId} and o.finished_at is null",
      "where o.device_id = ${deviceId} and o.state = 'queued'",
    ],
    [
      "commands: sent after their expiry",
      "or (state = 'queued' and expires_at <= now())",
      "or (state = 'queued' and false)",
    ],
    [
      "commands: sent stays sent",
      "where device_id = ${deviceId} and state = 'sent' and id <> all",
      "where device_id = ${deviceId} and state = 'none' and id <> all",
    ],
  ]),
  ...faultsIn(`${modules}/commands/parameter.service.ts`, commands, [
    [
      "parameters: alarms are masked without a word",
      "if (masks(values.mode) && confirmed !== true)",
      "if (confirmed === false)",
    ],
    [
      "parameters: any value",
      "of checkParameter(parameter, value))",
      "of checkParameter(parameter, value).slice(1e6))",
    ],
  ]),
  ...faultsIn(`${modules}/commands/parameter.repository.ts`, commands, [
    [
      "washing: never ends",
      "where u.mode_ends_at <= now() and",
      "where u.mode_ends_at <= now() - interval '1 hour' and",
    ],
    [
      "washing: goes back to empty with pigs inside",
      "when u.mode_before = 'empty' and u.head_count = 0 then",
      "when u.mode_before = 'empty' then",
    ],
  ]),
  ...faultsIn(`${modules}/devices/device.repository.ts`, { files: ["tests/api/devices.test.ts"] }, [
    [
      "devices: counts of all tenants",
      '"d.id").where(deviceInReach(scope, "d"));',
      '"d.id").where(sql<boolean>`true`);',
    ],
    [
      "devices: figures of houses know no silent device",
      "not in ('online', 'fault') and s.reported_at is null) as silent",
      "not in ('online', 'fault') and false) as silent",
    ],
  ]),
  ...faultsIn(`${modules}/commands/parameter-protocol.repository.ts`, commands, [
    [
      "parameters: what expired is sent after all",
      "p.pushed_at is null and (p.expires_at is null or p.expires_at > now())",
      "p.pushed_at is null",
    ],
    [
      "parameters: an expiry is forgotten",
      "when p.state = 'expired' then p.state",
      "when p.state = 'none' then p.state",
    ],
    ["parameters: what never arrived stays wanted", "(d.shared_attributes - b.keys) || b.held", "d.shared_attributes"],
  ]),
  ...faultsIn(`${modules}/commands/parameter.repository.ts`, commands, [
    [
      "parameters: withdrawn to what never held",
      "then held.fallback else excluded.fallback end",
      "then excluded.fallback else excluded.fallback end",
    ],
  ]),
  ...faultsIn(`${modules}/devices/gateway.repository.ts`, protocol, [
    [
      "gateways: devices of other tenants",
      "where d.tenant_id = ${gateway.tenantId} and d.gateway_id is null",
      "where d.gateway_id is null",
    ],
    ["gateways: children under any number", "g.serial_number || '/' || n.name", "n.name"],
  ]),
  ...faultsIn(`${modules}/devices/gateway.service.ts`, protocol, [
    ["gateways: all may make devices", "missing.length > 0 && gateway.mayCreateChildren", "missing.length > 0"],
  ]),
  ...faultsIn(`${modules}/devices/claim.repository.ts`, protocol, [
    ["claim: tries without end", "and c.expires_at > now() and c.tries < ${triesPerOffer}", "and c.expires_at > now()"],
  ]),
  ...faultsIn(`${modules}/devices/claim.service.ts`, protocol, [
    ["claim: any secret", "if (offered === undefined || !isRight)", "if (offered === undefined || isRight === null)"],
    ["claim: a secret of nobody", 'secretKey === "" || ', ""],
  ]),
  ...faultsIn(`${modules}/devices/provision.service.ts`, protocol, [
    ["provision: any secret", "if (profile === undefined || !isRight) return", "if (profile === undefined) return"],
    [
      "provision: any number of requests",
      'if (!mayAsk) return failed("Too many',
      'if (mayAsk === null) return failed("Too many',
    ],
  ]),
  ...faultsIn(`${modules}/devices/device-password.ts`, protocol, [
    ["log-in: any password", "return timingSafeEqual(await derive", "return true || timingSafeEqual(await derive"],
  ]),
  ...faultsIn("apps/server/src/mqtt/device-topics.ts", topics, [
    ["topics: gateway topics for all", '(by === "gateway" && ofGateways.test(filter))', "ofGateways.test(filter)"],
    [
      "topics: registrants read everything",
      'if (by === "provision") return filter',
      'if (by !== "device" && filter.length < 3) return filter',
    ],
  ]),
  ...faultsIn(`${modules}/devices/gateway.repository.ts`, { files: ["tests/api/stock-clients.test.ts"] }, [
    [
      "gateways: the group's lose what is claimed",
      "${gateway.tenantId} in (d.tenant_id, '000000')",
      "d.tenant_id = ${gateway.tenantId}",
    ],
    [
      "gateways: speak for other customers",
      "and ${gateway.tenantId} in (d.tenant_id, '000000') and d.gateway_name",
      "and d.gateway_name",
    ],
  ]),
  ...faultsIn(`${modules}/telemetry/presence.service.ts`, { files: [`${modules}/telemetry/presence.test.ts`] }, [
    ["servers: a take-over that failed is forgotten", "owesTakeOver ||= lostServer;", "owesTakeOver = lostServer;"],
  ]),
  ...faultsIn(`${modules}/telemetry/telemetry.repository.ts`, { files: [`${modules}/telemetry/presence.test.ts`] }, [
    [
      "servers: taken over by each of the others",
      "where not taken_over and id <> ${serverId}",
      "where id <> ${serverId}",
    ],
    [
      "servers: one that comes back is not looked after again",
      "set seen_at = excluded.seen_at, taken_over = false",
      "set seen_at = excluded.seen_at",
    ],
  ]),
  ...faultsIn(`${modules}/alarms/clock-rules.service.ts`, { files: ["tests/api/lost-gateway.test.ts"] }, [
    [
      "alarms: each device behind a lost gateway is told",
      "const behindGatewayLeast = 2;",
      "const behindGatewayLeast = 200;",
    ],
    ["alarms: a connected gateway is lost", "if (gatewayId === null || !gatewayAway)", "if (gatewayId === null)"],
  ]),
];
