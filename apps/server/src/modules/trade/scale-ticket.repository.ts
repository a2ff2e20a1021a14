import type { TicketProblem, WeightUse } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

/** An event of a weighbridge that nobody has read yet. */
export interface MessageRow {
  deviceId: string;
  eventId: string;
  tenantId: string;
  weighedAt: Date;
  body: Record<string, unknown>;
}

/** A vehicle that a ticket may be of. */
export interface VehicleOfTicket {
  transit: string;
  order: string;
  plate: string;
  orderState: string;
}

/** A matched ticket of a vehicle. */
export interface MatchedTicket {
  id: string;
  use: WeightUse;
  weightGrams: number;
  weighedAt: Date;
}

/** A plate as it is compared: people and cameras write it with and without blanks and points. */
const plateKey = (plate: ReturnType<typeof sql> | ReturnType<typeof sql.ref>) =>
  sql`upper(regexp_replace(${plate}, '[\\s·•.-]', '', 'g'))`;

/** Tickets of weighbridges, and the vehicles that they are of. @param db a pool or an open transaction */
export function scaleTicketRepository(db: Kysely<DB>) {
  return {
    /** The oldest unread events; another server may have some of them in hand. */
    async unread(scope: SystemScope, most: number): Promise<{ deviceId: string; eventId: string }[]> {
      requireSystemScope(scope);
      const { rows } = await sql<{ deviceId: string; eventId: string }>`
        select m.device_id as "deviceId", m.event_id as "eventId"
          from scale_messages m left join device_events e on e.device_id = m.device_id and e.type = 'weighed' and e.event_id = m.event_id
         order by e.ts, m.device_id, m.event_id limit ${most}`.execute(db);
      return rows;
    },

    /** Takes an event out of the queue. @returns undefined where another server has it, or its device is bound to nobody */
    async take(
      scope: SystemScope,
      { deviceId, eventId }: { deviceId: string; eventId: string },
    ): Promise<MessageRow | undefined> {
      requireSystemScope(scope);
      const taken = await sql`
        delete from scale_messages where (device_id, event_id) in (
          select device_id, event_id from scale_messages where device_id = ${deviceId} and event_id = ${eventId} for update skip locked)
        returning device_id`.execute(db);
      if (taken.rows.length === 0) return undefined;
      const { rows } = await sql<MessageRow>`
        select e.device_id as "deviceId", e.event_id as "eventId", d.tenant_id as "tenantId", e.ts as "weighedAt", e.body
          from device_events e join devices d on d.id = e.device_id
         where e.device_id = ${deviceId} and e.type = 'weighed' and e.event_id = ${eventId} and d.bound_at is not null
           and e.ts >= coalesce(d.owned_since, '-infinity')`.execute(db);
      return rows[0];
    },

    /** Whether the device has told of a ticket before. */
    async has(scope: SystemScope, device: string, ticket: string): Promise<boolean> {
      requireSystemScope(scope);
      const { rows } = await sql`select from scale_tickets where device = ${device} and ticket = ${ticket}`.execute(db);
      return rows.length > 0;
    },

    /** Vehicles that are loaded where a device of the group stands: at the sale field that has its farm's code. */
    async loadedAt(scope: SystemScope, device: string, plate: string): Promise<VehicleOfTicket[]> {
      requireSystemScope(scope);
      const { rows } = await sql<VehicleOfTicket>`
        select t.id as transit, t."order", t.plate, o.state as "orderState"
          from devices d join farms m on m.id = d.farm_id join sale_fields f on lower(f.field_code) = lower(m.code)
          join sale_plans p on p.field = f.id join sale_orders o on o.plan = p.id and o.state in ('confirmed', 'loading')
          join transits t on t."order" = o.id and t.state in ('planned', 'ready', 'loading')
         where d.id = ${device} and ${plateKey(sql`t.plate`)} = ${plateKey(sql`${plate}::text`)}`.execute(db);
      return rows;
    },

    /** Vehicles on their way to a customer, or just arrived, for a device of that customer. */
    async arrivedAt(scope: SystemScope, device: string, plate: string): Promise<VehicleOfTicket[]> {
      requireSystemScope(scope);
      const { rows } = await sql<VehicleOfTicket>`
        select t.id as transit, t."order", t.plate, o.state as "orderState"
          from devices d join sale_orders o on o.tenant_id = d.tenant_id and o.state in ('loading', 'weighed')
          join transits t on t."order" = o.id and t.state in ('departed', 'arrived')
         where d.id = ${device} and ${plateKey(sql`t.plate`)} = ${plateKey(sql`${plate}::text`)}`.execute(db);
      return rows;
    },

    /** A vehicle that staff choose for a ticket, and whether it is loaded at the field of the ticket's device. */
    async chosen(
      scope: SystemScope,
      ticket: string,
      transit: string,
    ): Promise<(VehicleOfTicket & { state: string; ofField: boolean }) | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<VehicleOfTicket & { state: string; ofField: boolean }>`
        select t.id as transit, t."order", t.plate, o.state as "orderState", t.state,
               exists (select from scale_tickets s join devices d on d.id = s.device join farms m on m.id = d.farm_id
                        where s.id = ${ticket} and lower(m.code) = lower(f.field_code)) as "ofField"
          from transits t join sale_orders o on o.id = t."order" join sale_plans p on p.id = o.plan join sale_fields f on f.id = p.field
         where t.id = ${transit}`.execute(db);
      return rows[0];
    },

    /** Whether a vehicle of an order has a weighing that is not void. */
    async isWeighed(scope: SystemScope, order: string, plate: string): Promise<boolean> {
      requireSystemScope(scope);
      const { rows } = await sql`
        select from weighings w where w."order" = ${order} and w.plate = ${plate} and w.state <> 'void' limit 1`.execute(
        db,
      );
      return rows.length > 0;
    },

    /** The matched tickets of a vehicle, newest first. */
    async matchedOf(scope: SystemScope, transit: string): Promise<MatchedTicket[]> {
      requireSystemScope(scope);
      const { rows } = await sql<MatchedTicket>`
        select s.id, s.use, s.weight_grams as "weightGrams", s.weighed_at as "weighedAt"
          from scale_tickets s where s.transit = ${transit} and s.state = 'matched' order by s.weighed_at desc, s.id desc`.execute(
        db,
      );
      return rows;
    },

    /** The vehicle that a ticket is matched to. */
    async placeOf(scope: SystemScope, ticket: string): Promise<{ transit: string; order: string } | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<{ transit: string; order: string }>`
        select s.transit, s."order" from scale_tickets s where s.id = ${ticket} and s.state = 'matched'`.execute(db);
      return rows[0];
    },

    /** Vehicles of an order that have both weights by tickets that wait. */
    async pairsOf(scope: SystemScope, order: string): Promise<string[]> {
      requireSystemScope(scope);
      const { rows } = await sql<{ transit: string }>`
        select s.transit from scale_tickets s where s."order" = ${order} and s.state = 'matched'
         group by s.transit having count(distinct s.use) = 2`.execute(db);
      return rows.map(({ transit }) => transit);
    },

    /** Says what holds tickets off. */
    async hold(scope: SystemScope, ids: readonly string[], problem: TicketProblem): Promise<void> {
      requireSystemScope(scope);
      await sql`update scale_tickets set problem = ${problem} where id = any(${ids}::bigint[])`.execute(db);
    },

    /** Tickets that a weighing was made of. */
    async ofWeighing(scope: SystemScope, weighing: string): Promise<string[]> {
      requireSystemScope(scope);
      const { rows } = await sql<{ id: string }>`
        select s.id from weighings w join scale_tickets s on s.id in (w.tare_ticket, w.gross_ticket)
         where w.id = ${weighing} and s.state = 'used' order by s.id`.execute(db);
      return rows.map(({ id }) => id);
    },
  };
}
