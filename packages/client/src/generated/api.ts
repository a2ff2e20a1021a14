/* Made by `npm run generate` from docs/openapi.json: the operations that personal access tokens open. */
export interface paths {
    "/api/muyuan-work-order/after-sales/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One of the after-sales orders with its timeline, without what the desk notes for itself. */
        get: operations["afterSalesDetail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-work-order/after-sales/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** After-sales orders of the session's tenant, first what waits for the customer, then what is due first, then what is closed: those of the last 6 months and all that are open; a keyword reaches all. */
        get: operations["afterSalesPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/alarm/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Says that the caller has seen alarms and deals with them: they and what follows from them do not ask again before the time is over or they get worse, and those of nobody become the caller's. Named again with `minutes`, a time that runs is set anew. */
        post: operations["alarmAcknowledge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/alarm/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Closes alarms that are over, with how they were dealt with. */
        post: operations["alarmClose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/alarm/comment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Leaves a comment at an alarm. */
        post: operations["alarmComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/alarm/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many alarms of the tenant are open, and the worst that follow from no other, at most 4, those first that ask for somebody. */
        get: operations["alarmCounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/alarm/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One alarm with what was done about it, its trend and what follows from it. 404 for another tenant's. */
        get: operations["alarmDetail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/alarm/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Open alarms of the tenant, those that ask first, then the worst and the oldest, at most 500, with the counts of all. */
        get: operations["alarmOpen"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/alarm/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The log of the tenant's alarms, newest first, with what was suppressed, late or withdrawn. */
        get: operations["alarmPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/alarm-rule/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the tenant changed of the rules of its kinds and holds now; everything else is as the kind declares it. */
        get: operations["alarmRuleList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/alarm/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Alarms of the tenant per day, rule, farm and unit, with how long they took; at most 366 days. */
        get: operations["alarmStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-work-order/complaint/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One of the complaints with its timeline, without what the desk notes for itself. */
        get: operations["complaintDetail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-work-order/complaint/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Complaints of the session's tenant, first what waits for the customer, then what is due first, then what is closed: those of the last 6 months and all that are open; a keyword reaches all. */
        get: operations["complaintPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-contract/contract/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A contract with its words, its versions, who signed and what a signature still needs. */
        get: operations["contractDetail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-contract/contract/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happened to the tenant's contracts, or to one of them, newest first. */
        get: operations["contractHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-contract/contract/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Contracts of the session's tenant that were sent, what waits for an answer first. */
        get: operations["contractPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-contract/contract/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many contracts wait for the session's tenant, and how many end within 30 days. */
        get: operations["contractSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-contract/contract/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The words of an earlier version that was sent, to compare. */
        get: operations["contractVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/device/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many devices of the session's tenant there are in each state. */
        get: operations["deviceCounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/device/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One device with its attributes and dropped messages; 404 for another tenant's. */
        get: operations["deviceDetail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/event/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Records of one device, newest first; filter by type and time. 404 for another tenant's. */
        get: operations["deviceEventPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/device/glance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the page of a unit, or of a device, shows first, in one answer: the figures of the worst device of the kind with their verdicts, and the curve that led to now; without figures where nothing of the kind stands. 404 for another tenant's. */
        get: operations["deviceGlance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/device/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Newest value per key of one device. */
        get: operations["deviceLatest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/device/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Devices of the session's tenant; filter by kind, status, bound, farmId, unitId and a word in name or serial number. */
        get: operations["devicePage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-farm/tree/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Farms, pig houses and units of the session's tenant. */
        get: operations["farmTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-farm/inventory/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Heads of a unit now, in all and by category, and what its batch lost. */
        get: operations["inventoryDetail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-farm/inventory/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Heads of a unit, house or farm over time: a point for each moment at which they changed, at most 2,000. */
        get: operations["inventoryHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-farm/inventory/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Movements of heads in a unit, house or farm, newest first, each with the heads of its unit after it. */
        get: operations["inventoryPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/overview/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All units of the session's tenant with the newest readings of their devices of one kind. Of more than 1,000 units and devices it tells the figures of each house; those of the place that is named are listed, as far as they are no more, and those of a house always. */
        get: operations["kindOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-trade/order/view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An order with its plan, payments, vehicles, weighings and the settlement with its arithmetic; another tenant's is a 404. */
        get: operations["orderView"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-farm/structure/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One level of the structure: farms, the houses of a farm, the units of a house, or the devices of a unit. */
        get: operations["structureList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-work-order/suggestion/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One of the suggestions with its timeline, without what the desk notes for itself. */
        get: operations["suggestionDetail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-work-order/suggestion/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Suggestions of the session's tenant, first what waits for the customer, then what is due first, then what is closed: those of the last 6 months and all that are open; a keyword reaches all. */
        get: operations["suggestionPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/telemetry/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Accepted readings of devices in [start, end) as a stream, a row for each device and time, of any number of rows: raw and minute over at most 366 days, hour over 3,660, day over 36,600. Buckets have the columns <key>_min, <key>_avg and <key>_max. Four at a time for each person. A transfer that breaks off is not whole. 404 when one device is another tenant's. */
        get: operations["telemetryDownload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/telemetry/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Values of one key in [start, end), at a resolution that fits the range. */
        get: operations["telemetryHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-iot/telemetry/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Values of several keys of several devices in [start, end), all at one resolution: at most 200 series with 200,000 points in all. 404 when one device is another tenant's. */
        get: operations["telemetrySeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-trade/transit/track": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The way of a vehicle by the positions of its driver's phone, and what is to be looked at; another tenant's is a 404. */
        get: operations["transitTrack"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-farm/unit/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One unit with its farm, house, neighbours and environment controller. */
        get: operations["unitOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-work-order/order/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many orders of the session's tenant are open, wait for an answer of the customer's, are late or wait for a rating. */
        get: operations["workOrderSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-trade/declaration/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rows of declaration by conditions, a page at a time (购猪申报). */
        get: operations["declaration_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-trade/declaration/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One row of declaration. */
        get: operations["declaration_detail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-trade/order/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rows of sale_order by conditions, a page at a time (生猪订单). */
        get: operations["sale_order_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-trade/order/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One row of sale_order. */
        get: operations["sale_order_detail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-trade/transit/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rows of transit by conditions, a page at a time (转运单). */
        get: operations["transit_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-trade/transit/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One row of transit. */
        get: operations["transit_detail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-trade/settlement/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rows of settlement by conditions, a page at a time (结算单). */
        get: operations["settlement_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-trade/settlement/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One row of settlement. */
        get: operations["settlement_detail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-farm/farm/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rows of farm by conditions, a page at a time (猪场). */
        get: operations["farm_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-farm/farm/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One row of farm. */
        get: operations["farm_detail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-farm/house/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rows of pig_house by conditions, a page at a time (猪舍). */
        get: operations["pig_house_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-farm/house/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One row of pig_house. */
        get: operations["pig_house_detail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-farm/unit/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rows of unit by conditions, a page at a time (单元). */
        get: operations["unit_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-farm/unit/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One row of unit. */
        get: operations["unit_detail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-trade/declaration/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happened to a row of declaration, newest first, and what may happen to it now. */
        get: operations["declaration_steps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/muyuan-trade/order/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happened to a row of sale_order, newest first, and what may happen to it now. */
        get: operations["sale_order_steps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "alarm.raised": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to webhooks that ask for alarm.raised, signed as Standard Webhooks has it. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "alarm.raised";
                        /** @description when it happened, ISO 8601 in UTC */
                        timestamp: string;
                        data: {
                            /** @description snowflake id as a decimal string */
                            alarmId: string;
                            /** @description snowflake id as a decimal string */
                            deviceId: string;
                            /** @description id, "" where there is none */
                            farmId: string;
                            /** @description id, "" where there is none */
                            unitId: string;
                            /** @description kind of the device */
                            kind: string;
                            ruleId: string;
                            /** @enum {unknown} */
                            severity: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                        };
                    };
                };
            };
            responses: {
                /** @description taken; any other answer is tried again */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "alarm.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to webhooks that ask for alarm.ended, signed as Standard Webhooks has it. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "alarm.ended";
                        /** @description when it happened, ISO 8601 in UTC */
                        timestamp: string;
                        data: {
                            /** @description snowflake id as a decimal string */
                            alarmId: string;
                            /** @description snowflake id as a decimal string */
                            deviceId: string;
                            /** @description id, "" where there is none */
                            farmId: string;
                            /** @description id, "" where there is none */
                            unitId: string;
                            /** @description kind of the device */
                            kind: string;
                            ruleId: string;
                            /** @enum {unknown} */
                            severity: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                        };
                    };
                };
            };
            responses: {
                /** @description taken; any other answer is tried again */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "device.online": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to webhooks that ask for device.online, signed as Standard Webhooks has it. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "device.online";
                        /** @description when it happened, ISO 8601 in UTC */
                        timestamp: string;
                        data: {
                            /** @description snowflake id as a decimal string */
                            deviceId: string;
                            serialNumber: string;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; any other answer is tried again */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "device.offline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to webhooks that ask for device.offline, signed as Standard Webhooks has it. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "device.offline";
                        /** @description when it happened, ISO 8601 in UTC */
                        timestamp: string;
                        data: {
                            /** @description snowflake id as a decimal string */
                            deviceId: string;
                            serialNumber: string;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; any other answer is tried again */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "device.bound": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to webhooks that ask for device.bound, signed as Standard Webhooks has it. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "device.bound";
                        /** @description when it happened, ISO 8601 in UTC */
                        timestamp: string;
                        data: {
                            /** @description snowflake id as a decimal string */
                            deviceId: string;
                            serialNumber: string;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; any other answer is tried again */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "device.unbound": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to webhooks that ask for device.unbound, signed as Standard Webhooks has it. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "device.unbound";
                        /** @description when it happened, ISO 8601 in UTC */
                        timestamp: string;
                        data: {
                            /** @description snowflake id as a decimal string */
                            deviceId: string;
                            serialNumber: string;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; any other answer is tried again */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "work_order.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to webhooks that ask for work_order.changed, signed as Standard Webhooks has it. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "work_order.changed";
                        /** @description when it happened, ISO 8601 in UTC */
                        timestamp: string;
                        data: {
                            /** @description snowflake id as a decimal string */
                            workOrderId: string;
                            number: string;
                            /** @enum {unknown} */
                            type: "after_sales" | "complaint" | "suggestion";
                            state: string;
                            /** @description id, "" where there is none */
                            deviceId: string;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; any other answer is tried again */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "sale_order.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to webhooks that ask for sale_order.changed, signed as Standard Webhooks has it. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "sale_order.changed";
                        /** @description when it happened, ISO 8601 in UTC */
                        timestamp: string;
                        data: {
                            /** @description snowflake id as a decimal string */
                            orderId: string;
                            number: string;
                            state: string;
                            heads: number;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; any other answer is tried again */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contract.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to webhooks that ask for contract.changed, signed as Standard Webhooks has it. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "contract.changed";
                        /** @description when it happened, ISO 8601 in UTC */
                        timestamp: string;
                        data: {
                            /** @description snowflake id as a decimal string */
                            contractId: string;
                            number: string;
                            state: string;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; any other answer is tried again */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    test: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to webhooks that ask for test, signed as Standard Webhooks has it. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        /** @constant */
                        type: "test";
                        /** @description when it happened, ISO 8601 in UTC */
                        timestamp: string;
                        data: {
                            /** @description snowflake id as a decimal string */
                            webhookId: string;
                        };
                    };
                };
            };
            responses: {
                /** @description taken; any other answer is tried again */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: never;
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    afterSalesDetail: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            /** @description for people, for example SH-260403-014 */
                            number: string;
                            /** @enum {unknown} */
                            type: "after_sales" | "complaint" | "suggestion";
                            /** @enum {unknown} */
                            state: "pending" | "in_process" | "waiting_customer" | "completed" | "closed" | "cancelled" | "merged" | "adopted" | "rejected";
                            title: string;
                            /** @description of a complaint or suggestion: product, service, delivery, price, website, other; else "" */
                            category: string;
                            /** @description of after-sales: remote, return_factory; else "" */
                            repairMode: string;
                            /** @description kind of the device; "" for none */
                            productId: string;
                            deviceName: string;
                            /** @description farm, house and unit, with " / " between them */
                            place: string;
                            /** @description name of the tenant */
                            customer: string;
                            raiser: string;
                            /** @description who of the desk has it; "" for nobody */
                            assignee: string;
                            /** @description the caller has it (desk), or raised it (customer) */
                            mine: boolean;
                            /** Format: wire-date-time */
                            createTime: string;
                            /** Format: wire-date-time */
                            updateTime: string;
                            /** Format: wire-date-time */
                            firstDueTime: string;
                            /** Format: wire-date-time */
                            firstAnswerTime: string;
                            /** Format: wire-date-time */
                            solveDueTime: string;
                            /** Format: wire-date-time */
                            solveTime: string;
                            overdue: boolean;
                            urges: number;
                            /** @description 0 while it is not rated */
                            rating: number;
                            version: number;
                            description: string;
                            orderNumber: string;
                            deviceId: string;
                            may: ("reply" | "urge" | "receive" | "cancel" | "rate" | "reopen" | "claim" | "assign" | "answer" | "ask" | "note" | "ship" | "arrive" | "remote" | "redirect" | "complete" | "merge" | "adopt" | "reject" | "publish" | "close")[];
                            /** Format: wire-date-time */
                            urgeTime: string;
                            minutesLeft?: number;
                            minutesOfAll: number;
                            windows: {
                                /** Format: wire-date-time */
                                startTime: string;
                                /** Format: wire-date-time */
                                endTime: string;
                            }[];
                            mergedInto: string;
                            published: boolean;
                            entries: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                /** @enum {unknown} */
                                what: "raise" | "absorb" | "reply" | "urge" | "receive" | "cancel" | "rate" | "reopen" | "claim" | "assign" | "answer" | "ask" | "note" | "ship" | "arrive" | "remote" | "redirect" | "complete" | "merge" | "adopt" | "reject" | "publish" | "close";
                                /** @enum {unknown} */
                                side: "customer" | "desk" | "clock";
                                /** @description who it was; "" for the clock */
                                name: string;
                                body: string;
                                /** @description only the desk sees it */
                                internal: boolean;
                                photos: string[];
                                items: string;
                                carrier: string;
                                tracking: string;
                                other: string;
                                rating: number;
                                /** @description length of a remote session; 0 where there was none */
                                minutes: number;
                                /** Format: wire-date-time */
                                createTime: string;
                            }[];
                            snapshot?: {
                                startMs: number;
                                endMs: number;
                                /** @description snowflake id as a decimal string */
                                deviceId: string;
                                deviceName: string;
                                serialNumber: string;
                                /** @enum {unknown} */
                                kind: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
                                firmwareVersion: string;
                                status: string;
                                place: string;
                                /** @description normal, empty, washing */
                                mode: string;
                                headCount?: number;
                                series: {
                                    key: string;
                                    points: [
                                        number,
                                        number
                                    ][];
                                }[];
                                alarms: {
                                    ruleId: string;
                                    /** @description of a rule of the farm's own; else "" */
                                    ruleName: string;
                                    /** @enum {unknown} */
                                    severity: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                                    raisedMs: number;
                                    endedMs?: number;
                                }[];
                            };
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    afterSalesPage: {
        parameters: {
            query?: {
                current?: number;
                size?: number;
                ascs?: string;
                descs?: string;
                state?: "open" | "completed" | "pending" | "in_process" | "waiting_customer";
                keyword?: string;
                deviceId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            records: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                /** @description for people, for example SH-260403-014 */
                                number: string;
                                /** @enum {unknown} */
                                type: "after_sales" | "complaint" | "suggestion";
                                /** @enum {unknown} */
                                state: "pending" | "in_process" | "waiting_customer" | "completed" | "closed" | "cancelled" | "merged" | "adopted" | "rejected";
                                title: string;
                                /** @description of a complaint or suggestion: product, service, delivery, price, website, other; else "" */
                                category: string;
                                /** @description of after-sales: remote, return_factory; else "" */
                                repairMode: string;
                                /** @description kind of the device; "" for none */
                                productId: string;
                                deviceName: string;
                                /** @description farm, house and unit, with " / " between them */
                                place: string;
                                /** @description name of the tenant */
                                customer: string;
                                raiser: string;
                                /** @description who of the desk has it; "" for nobody */
                                assignee: string;
                                /** @description the caller has it (desk), or raised it (customer) */
                                mine: boolean;
                                /** Format: wire-date-time */
                                createTime: string;
                                /** Format: wire-date-time */
                                updateTime: string;
                                /** Format: wire-date-time */
                                firstDueTime: string;
                                /** Format: wire-date-time */
                                firstAnswerTime: string;
                                /** Format: wire-date-time */
                                solveDueTime: string;
                                /** Format: wire-date-time */
                                solveTime: string;
                                overdue: boolean;
                                urges: number;
                                /** @description 0 while it is not rated */
                                rating: number;
                                version: number;
                            }[];
                            total: number;
                            size: number;
                            current: number;
                            pages: number;
                            orders: string[];
                            searchCount: boolean;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    alarmAcknowledge: {
        parameters: {
            query?: {
                ids?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description comma-separated */
                    ids?: string;
                    /** @description for which it holds, at most what its severity allows: 60 CRITICAL, 240 MAJOR, 480 others; 30, 120 and 480 by default */
                    minutes?: number;
                };
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: Record<string, never>;
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description somebody else changed it first, or it has come to where this can't be done any more */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    alarmClose: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description comma-separated */
                    ids: string;
                    /** @enum {unknown} */
                    resolution: "resolved" | "false-alarm" | "expected" | "other";
                    text?: string;
                };
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: Record<string, never>;
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description somebody else changed it first, or it has come to where this can't be done any more */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    alarmComment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description snowflake id as a decimal string */
                    id: string;
                    text: string;
                };
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: Record<string, never>;
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description somebody else changed it first, or it has come to where this can't be done any more */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    alarmCounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            WARN: number;
                            MINOR: number;
                            MAJOR: number;
                            CRITICAL: number;
                            /** @description open ones that ask for somebody now */
                            unacknowledged: number;
                            /** @description assigned to the session's account */
                            mine: number;
                            suppressed: number;
                            worst: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                /** @enum {unknown} */
                                severity: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                                rule: {
                                    zh: string;
                                    en: string;
                                };
                                sentence: {
                                    zh: string;
                                    en: string;
                                };
                                cause?: {
                                    zh: string;
                                    en: string;
                                };
                                firstStep?: {
                                    zh: string;
                                    en: string;
                                };
                                farmName: string;
                                houseName: string;
                                unitName: string;
                                deviceName: string;
                                raisedMs: number;
                                /** @description whether it is known, and so does not ask */
                                acknowledged: boolean;
                                known?: {
                                    untilMs: number;
                                    /** @description name of who acknowledged it, or the alarm that caused it; "" for a removed account */
                                    by: string;
                                };
                                follows?: {
                                    zh: string;
                                    en: string;
                                };
                            }[];
                            worse?: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                /** @enum {unknown} */
                                severity: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                                rule: {
                                    zh: string;
                                    en: string;
                                };
                                sentence: {
                                    zh: string;
                                    en: string;
                                };
                                cause?: {
                                    zh: string;
                                    en: string;
                                };
                                firstStep?: {
                                    zh: string;
                                    en: string;
                                };
                                farmName: string;
                                houseName: string;
                                unitName: string;
                                deviceName: string;
                                raisedMs: number;
                                /** @description whether it is known, and so does not ask */
                                acknowledged: boolean;
                                known?: {
                                    untilMs: number;
                                    /** @description name of who acknowledged it, or the alarm that caused it; "" for a removed account */
                                    by: string;
                                };
                                follows?: {
                                    zh: string;
                                    en: string;
                                };
                            };
                            farms: {
                                /** @description snowflake id as a decimal string */
                                farmId: string;
                                WARN: number;
                                MINOR: number;
                                MAJOR: number;
                                CRITICAL: number;
                            }[];
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    alarmDetail: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            tenantId: string;
                            /** @description snowflake id as a decimal string */
                            deviceId: string;
                            deviceName: string;
                            /** @enum {unknown} */
                            kind: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
                            /** @description a rule of the kind, or own-<id> of one that the farm wrote itself */
                            ruleId: string;
                            /** @description name of a rule that the farm wrote itself; "" for one of the kind */
                            ruleName: string;
                            sentence: {
                                zh: string;
                                en: string;
                            };
                            /** @enum {unknown} */
                            severity: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                            /** @enum {unknown} */
                            state: "open" | "suppressed" | "cleared" | "closed" | "late" | "withdrawn";
                            farmId: string;
                            farmName: string;
                            houseId: string;
                            houseName: string;
                            unitId: string;
                            unitName: string;
                            headCount: number;
                            figure: {
                                /** @description channel, derived value, or type of the event */
                                key?: string;
                                /** @description number, boolean or text */
                                value?: unknown;
                                /** @description number, boolean or text */
                                limit?: unknown;
                                rejected?: {
                                    /** @enum {unknown} */
                                    reason: "type" | "range" | "step";
                                    text: string;
                                };
                            };
                            /** @description number, boolean or text */
                            currentValue?: unknown;
                            sinceMs: number;
                            raisedMs: number;
                            endedMs?: number;
                            acknowledgedMs?: number;
                            /** @description name; "" before */
                            acknowledgedBy: string;
                            known?: {
                                untilMs: number;
                                /** @description name of who acknowledged it, or the alarm that caused it; "" for a removed account */
                                by: string;
                            };
                            /** @description id of the account; "" for nobody */
                            assignedTo: string;
                            assignedName: string;
                            closedMs?: number;
                            /** @description resolved, false-alarm, expected, other, or "" before it is closed */
                            resolution: string;
                            causeId: string;
                            step: number;
                            nextStepMs?: number;
                            entries: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                /** @enum {unknown} */
                                action: "acknowledge" | "assign" | "comment" | "clear" | "close" | "escalate" | "call" | "ask";
                                /** @description who; "" for what happened by itself */
                                personName: string;
                                /** @description comment, name of the person assigned or called, resolution; minutes for which an acknowledgement holds; why it asks again: time or worse */
                                body: string;
                                atMs: number;
                            }[];
                            trend?: {
                                perTenMinutes: number;
                                toward?: number;
                                minutes?: number;
                            };
                            effects: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                tenantId: string;
                                /** @description snowflake id as a decimal string */
                                deviceId: string;
                                deviceName: string;
                                /** @enum {unknown} */
                                kind: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
                                /** @description a rule of the kind, or own-<id> of one that the farm wrote itself */
                                ruleId: string;
                                /** @description name of a rule that the farm wrote itself; "" for one of the kind */
                                ruleName: string;
                                sentence: {
                                    zh: string;
                                    en: string;
                                };
                                /** @enum {unknown} */
                                severity: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                                /** @enum {unknown} */
                                state: "open" | "suppressed" | "cleared" | "closed" | "late" | "withdrawn";
                                farmId: string;
                                farmName: string;
                                houseId: string;
                                houseName: string;
                                unitId: string;
                                unitName: string;
                                headCount: number;
                                figure: {
                                    /** @description channel, derived value, or type of the event */
                                    key?: string;
                                    /** @description number, boolean or text */
                                    value?: unknown;
                                    /** @description number, boolean or text */
                                    limit?: unknown;
                                    rejected?: {
                                        /** @enum {unknown} */
                                        reason: "type" | "range" | "step";
                                        text: string;
                                    };
                                };
                                /** @description number, boolean or text */
                                currentValue?: unknown;
                                sinceMs: number;
                                raisedMs: number;
                                endedMs?: number;
                                acknowledgedMs?: number;
                                /** @description name; "" before */
                                acknowledgedBy: string;
                                known?: {
                                    untilMs: number;
                                    /** @description name of who acknowledged it, or the alarm that caused it; "" for a removed account */
                                    by: string;
                                };
                                /** @description id of the account; "" for nobody */
                                assignedTo: string;
                                assignedName: string;
                                closedMs?: number;
                                /** @description resolved, false-alarm, expected, other, or "" before it is closed */
                                resolution: string;
                                causeId: string;
                                step: number;
                                nextStepMs?: number;
                            }[];
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    alarmOpen: {
        parameters: {
            query?: {
                severity?: string;
                kind?: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
                ruleId?: string;
                farmId?: string;
                unitId?: string;
                deviceId?: string;
                suppressed?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            counts: {
                                WARN: number;
                                MINOR: number;
                                MAJOR: number;
                                CRITICAL: number;
                                /** @description open ones that ask for somebody now */
                                unacknowledged: number;
                                /** @description assigned to the session's account */
                                mine: number;
                                suppressed: number;
                            };
                            alarms: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                tenantId: string;
                                /** @description snowflake id as a decimal string */
                                deviceId: string;
                                deviceName: string;
                                /** @enum {unknown} */
                                kind: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
                                /** @description a rule of the kind, or own-<id> of one that the farm wrote itself */
                                ruleId: string;
                                /** @description name of a rule that the farm wrote itself; "" for one of the kind */
                                ruleName: string;
                                sentence: {
                                    zh: string;
                                    en: string;
                                };
                                /** @enum {unknown} */
                                severity: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                                /** @enum {unknown} */
                                state: "open" | "suppressed" | "cleared" | "closed" | "late" | "withdrawn";
                                farmId: string;
                                farmName: string;
                                houseId: string;
                                houseName: string;
                                unitId: string;
                                unitName: string;
                                headCount: number;
                                figure: {
                                    /** @description channel, derived value, or type of the event */
                                    key?: string;
                                    /** @description number, boolean or text */
                                    value?: unknown;
                                    /** @description number, boolean or text */
                                    limit?: unknown;
                                    rejected?: {
                                        /** @enum {unknown} */
                                        reason: "type" | "range" | "step";
                                        text: string;
                                    };
                                };
                                /** @description number, boolean or text */
                                currentValue?: unknown;
                                sinceMs: number;
                                raisedMs: number;
                                endedMs?: number;
                                acknowledgedMs?: number;
                                /** @description name; "" before */
                                acknowledgedBy: string;
                                known?: {
                                    untilMs: number;
                                    /** @description name of who acknowledged it, or the alarm that caused it; "" for a removed account */
                                    by: string;
                                };
                                /** @description id of the account; "" for nobody */
                                assignedTo: string;
                                assignedName: string;
                                closedMs?: number;
                                /** @description resolved, false-alarm, expected, other, or "" before it is closed */
                                resolution: string;
                                causeId: string;
                                step: number;
                                nextStepMs?: number;
                            }[];
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    alarmPage: {
        parameters: {
            query?: {
                current?: number;
                size?: number;
                ascs?: string;
                descs?: string;
                severity?: string;
                kind?: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
                ruleId?: string;
                farmId?: string;
                unitId?: string;
                deviceId?: string;
                state?: string;
                from?: number;
                to?: number;
                fromDay?: string;
                toDay?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            records: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                tenantId: string;
                                /** @description snowflake id as a decimal string */
                                deviceId: string;
                                deviceName: string;
                                /** @enum {unknown} */
                                kind: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
                                /** @description a rule of the kind, or own-<id> of one that the farm wrote itself */
                                ruleId: string;
                                /** @description name of a rule that the farm wrote itself; "" for one of the kind */
                                ruleName: string;
                                sentence: {
                                    zh: string;
                                    en: string;
                                };
                                /** @enum {unknown} */
                                severity: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                                /** @enum {unknown} */
                                state: "open" | "suppressed" | "cleared" | "closed" | "late" | "withdrawn";
                                farmId: string;
                                farmName: string;
                                houseId: string;
                                houseName: string;
                                unitId: string;
                                unitName: string;
                                headCount: number;
                                figure: {
                                    /** @description channel, derived value, or type of the event */
                                    key?: string;
                                    /** @description number, boolean or text */
                                    value?: unknown;
                                    /** @description number, boolean or text */
                                    limit?: unknown;
                                    rejected?: {
                                        /** @enum {unknown} */
                                        reason: "type" | "range" | "step";
                                        text: string;
                                    };
                                };
                                /** @description number, boolean or text */
                                currentValue?: unknown;
                                sinceMs: number;
                                raisedMs: number;
                                endedMs?: number;
                                acknowledgedMs?: number;
                                /** @description name; "" before */
                                acknowledgedBy: string;
                                known?: {
                                    untilMs: number;
                                    /** @description name of who acknowledged it, or the alarm that caused it; "" for a removed account */
                                    by: string;
                                };
                                /** @description id of the account; "" for nobody */
                                assignedTo: string;
                                assignedName: string;
                                closedMs?: number;
                                /** @description resolved, false-alarm, expected, other, or "" before it is closed */
                                resolution: string;
                                causeId: string;
                                step: number;
                                nextStepMs?: number;
                            }[];
                            total: number;
                            size: number;
                            current: number;
                            pages: number;
                            orders: string[];
                            searchCount: boolean;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    alarmRuleList: {
        parameters: {
            query?: {
                kind?: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            /** @enum {unknown} */
                            scope: "tenant" | "farm" | "house" | "unit" | "device";
                            /** @description snowflake id as a decimal string */
                            scopeId: string;
                            /** @enum {unknown} */
                            kind: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
                            ruleId: string;
                            removed: boolean;
                            enabled: boolean;
                            /** @enum {unknown} */
                            severity?: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                            raiseAfterS?: number;
                            /** @description threshold id to number, in the unit of what it compares; ids as the kind declares them */
                            thresholds: {
                                [key: string]: number;
                            };
                            personName: string;
                            atMs: number;
                        }[];
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    alarmStatistics: {
        parameters: {
            query?: {
                days?: number;
                farmId?: string;
                kind?: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            days: {
                                /** @description yyyy-MM-dd in Asia/Shanghai */
                                day: string;
                                WARN: number;
                                MINOR: number;
                                MAJOR: number;
                                CRITICAL: number;
                            }[];
                            rules: {
                                /** @enum {unknown} */
                                kind: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
                                ruleId: string;
                                /** @description as in an alarm */
                                ruleName: string;
                                count: number;
                                acknowledgeS?: number;
                                clearS?: number;
                            }[];
                            farms: {
                                farmId: string;
                                farmName: string;
                                count: number;
                            }[];
                            units: {
                                unitId: string;
                                farmName: string;
                                houseName: string;
                                unitName: string;
                                count: number;
                            }[];
                            total: number;
                            suppressed: number;
                            falseAlarms: number;
                            acknowledgeS?: number;
                            clearS?: number;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    complaintDetail: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            /** @description for people, for example SH-260403-014 */
                            number: string;
                            /** @enum {unknown} */
                            type: "after_sales" | "complaint" | "suggestion";
                            /** @enum {unknown} */
                            state: "pending" | "in_process" | "waiting_customer" | "completed" | "closed" | "cancelled" | "merged" | "adopted" | "rejected";
                            title: string;
                            /** @description of a complaint or suggestion: product, service, delivery, price, website, other; else "" */
                            category: string;
                            /** @description of after-sales: remote, return_factory; else "" */
                            repairMode: string;
                            /** @description kind of the device; "" for none */
                            productId: string;
                            deviceName: string;
                            /** @description farm, house and unit, with " / " between them */
                            place: string;
                            /** @description name of the tenant */
                            customer: string;
                            raiser: string;
                            /** @description who of the desk has it; "" for nobody */
                            assignee: string;
                            /** @description the caller has it (desk), or raised it (customer) */
                            mine: boolean;
                            /** Format: wire-date-time */
                            createTime: string;
                            /** Format: wire-date-time */
                            updateTime: string;
                            /** Format: wire-date-time */
                            firstDueTime: string;
                            /** Format: wire-date-time */
                            firstAnswerTime: string;
                            /** Format: wire-date-time */
                            solveDueTime: string;
                            /** Format: wire-date-time */
                            solveTime: string;
                            overdue: boolean;
                            urges: number;
                            /** @description 0 while it is not rated */
                            rating: number;
                            version: number;
                            description: string;
                            orderNumber: string;
                            deviceId: string;
                            may: ("reply" | "urge" | "receive" | "cancel" | "rate" | "reopen" | "claim" | "assign" | "answer" | "ask" | "note" | "ship" | "arrive" | "remote" | "redirect" | "complete" | "merge" | "adopt" | "reject" | "publish" | "close")[];
                            /** Format: wire-date-time */
                            urgeTime: string;
                            minutesLeft?: number;
                            minutesOfAll: number;
                            windows: {
                                /** Format: wire-date-time */
                                startTime: string;
                                /** Format: wire-date-time */
                                endTime: string;
                            }[];
                            mergedInto: string;
                            published: boolean;
                            entries: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                /** @enum {unknown} */
                                what: "raise" | "absorb" | "reply" | "urge" | "receive" | "cancel" | "rate" | "reopen" | "claim" | "assign" | "answer" | "ask" | "note" | "ship" | "arrive" | "remote" | "redirect" | "complete" | "merge" | "adopt" | "reject" | "publish" | "close";
                                /** @enum {unknown} */
                                side: "customer" | "desk" | "clock";
                                /** @description who it was; "" for the clock */
                                name: string;
                                body: string;
                                /** @description only the desk sees it */
                                internal: boolean;
                                photos: string[];
                                items: string;
                                carrier: string;
                                tracking: string;
                                other: string;
                                rating: number;
                                /** @description length of a remote session; 0 where there was none */
                                minutes: number;
                                /** Format: wire-date-time */
                                createTime: string;
                            }[];
                            snapshot?: {
                                startMs: number;
                                endMs: number;
                                /** @description snowflake id as a decimal string */
                                deviceId: string;
                                deviceName: string;
                                serialNumber: string;
                                /** @enum {unknown} */
                                kind: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
                                firmwareVersion: string;
                                status: string;
                                place: string;
                                /** @description normal, empty, washing */
                                mode: string;
                                headCount?: number;
                                series: {
                                    key: string;
                                    points: [
                                        number,
                                        number
                                    ][];
                                }[];
                                alarms: {
                                    ruleId: string;
                                    /** @description of a rule of the farm's own; else "" */
                                    ruleName: string;
                                    /** @enum {unknown} */
                                    severity: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                                    raisedMs: number;
                                    endedMs?: number;
                                }[];
                            };
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    complaintPage: {
        parameters: {
            query?: {
                current?: number;
                size?: number;
                ascs?: string;
                descs?: string;
                state?: "open" | "completed" | "pending" | "in_process" | "waiting_customer";
                keyword?: string;
                deviceId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            records: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                /** @description for people, for example SH-260403-014 */
                                number: string;
                                /** @enum {unknown} */
                                type: "after_sales" | "complaint" | "suggestion";
                                /** @enum {unknown} */
                                state: "pending" | "in_process" | "waiting_customer" | "completed" | "closed" | "cancelled" | "merged" | "adopted" | "rejected";
                                title: string;
                                /** @description of a complaint or suggestion: product, service, delivery, price, website, other; else "" */
                                category: string;
                                /** @description of after-sales: remote, return_factory; else "" */
                                repairMode: string;
                                /** @description kind of the device; "" for none */
                                productId: string;
                                deviceName: string;
                                /** @description farm, house and unit, with " / " between them */
                                place: string;
                                /** @description name of the tenant */
                                customer: string;
                                raiser: string;
                                /** @description who of the desk has it; "" for nobody */
                                assignee: string;
                                /** @description the caller has it (desk), or raised it (customer) */
                                mine: boolean;
                                /** Format: wire-date-time */
                                createTime: string;
                                /** Format: wire-date-time */
                                updateTime: string;
                                /** Format: wire-date-time */
                                firstDueTime: string;
                                /** Format: wire-date-time */
                                firstAnswerTime: string;
                                /** Format: wire-date-time */
                                solveDueTime: string;
                                /** Format: wire-date-time */
                                solveTime: string;
                                overdue: boolean;
                                urges: number;
                                /** @description 0 while it is not rated */
                                rating: number;
                                version: number;
                            }[];
                            total: number;
                            size: number;
                            current: number;
                            pages: number;
                            orders: string[];
                            searchCount: boolean;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contractDetail: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            /** @description for people, for example HT-2026-0087 */
                            number: string;
                            title: string;
                            /** @description "" where there is none */
                            titleEn: string;
                            kind: string;
                            /** @enum {unknown} */
                            state: "draft" | "sent" | "seen" | "signed" | "rejected" | "withdrawn" | "expired" | "ended";
                            version: number;
                            /** @description name of the tenant */
                            customer: string;
                            amountFen?: number;
                            /** Format: wire-date */
                            startDay: string;
                            /** Format: wire-date */
                            endDay: string;
                            /** Format: wire-date-time */
                            signBy: string;
                            /** Format: wire-date-time */
                            sentTime: string;
                            /** Format: wire-date-time */
                            signedTime: string;
                            /** Format: wire-date-time */
                            updateTime: string;
                            terms?: {
                                heads: number;
                                leftHeads: number;
                            };
                            urgent: boolean;
                            group: string;
                            reason: string;
                            words: {
                                version: number;
                                form: {
                                    title: string;
                                    titleEn: string;
                                    fields: {
                                        key: string;
                                        /** @enum {unknown} */
                                        type: "text" | "money" | "date" | "party" | "number" | "choice";
                                        /**
                                         * @description amount (money), from and until (date), or none
                                         * @enum {unknown}
                                         */
                                        role: "" | "amount" | "from" | "until";
                                        required: boolean;
                                        name: string;
                                        nameEn: string;
                                        options: {
                                            zh: string;
                                            en: string;
                                        }[];
                                    }[];
                                    clauses: {
                                        heading: string;
                                        headingEn: string;
                                        /** @description a paragraph a line; {{key}} stands for a value */
                                        body: string;
                                        bodyEn: string;
                                    }[];
                                };
                                values: {
                                    [key: string]: string;
                                };
                                terms: {
                                    /** @enum {unknown} */
                                    category: "outer" | "inner" | "local" | "piglet" | "sow" | "boar";
                                    /** @description sale field that it is for; "" for more than one */
                                    field: string;
                                    /** @description sale region that it is for; "" for more than one */
                                    saleRegion: string;
                                    /** @description mean kg per head, included */
                                    fromKg: number;
                                    /** @description mean kg per head, included */
                                    toKg: number;
                                    /**
                                     * @description `fixed`, or the price board's price of the day of the declaration
                                     * @enum {unknown}
                                     */
                                    kind: "fixed" | "board";
                                    /** @description fen per kg; with `board` what is added to the board's price */
                                    fen: number;
                                    heads: number;
                                    /** @description first loading day */
                                    fromDay: string;
                                    /** @description last loading day */
                                    toDay: string;
                                    /** @description name of the field or region as it was written; "" for all */
                                    place: string;
                                }[];
                                /** @description SHA-256, 64 hexadecimal digits; "" while there is none */
                                sha256: string;
                                pages: number;
                                writtenBy: string;
                                /** Format: wire-date-time */
                                createTime: string;
                            };
                            versions: {
                                version: number;
                                writtenBy: string;
                                /** Format: wire-date-time */
                                createTime: string;
                                /** Format: wire-date-time */
                                sentTime: string;
                                reason: string;
                            }[];
                            signatures: {
                                /** @enum {unknown} */
                                side: "group" | "customer";
                                party: string;
                                signer: string;
                                /** @description masked */
                                signerPhone: string;
                                /** Format: wire-date-time */
                                signedTime: string;
                                /** @description SHA-256, 64 hexadecimal digits; "" while there is none */
                                sha256: string;
                            }[];
                            /** @description SHA-256, 64 hexadecimal digits; "" while there is none */
                            signedSha256: string;
                            damaged: boolean;
                            may: ("revise" | "send" | "see" | "sign" | "reject" | "withdraw" | "expire" | "end")[];
                            termUse: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                number: string;
                                heads: number;
                                usedHeads: number;
                                leftHeads: number;
                            }[];
                            needs: {
                                proven: boolean;
                                right: boolean;
                                phoneBound: boolean;
                            };
                            /** @description of the caller, masked; "" for none */
                            signerPhone: string;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contractHistory: {
        parameters: {
            query?: {
                current?: number;
                size?: number;
                ascs?: string;
                descs?: string;
                id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            records: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                /** @description snowflake id as a decimal string */
                                contractId: string;
                                number: string;
                                title: string;
                                titleEn: string;
                                /** @enum {unknown} */
                                what: "draft" | "download" | "remind" | "revise" | "send" | "see" | "sign" | "reject" | "withdraw" | "expire" | "end";
                                /** @enum {unknown} */
                                side: "customer" | "desk" | "clock";
                                /** @description who it was; "" for the clock */
                                name: string;
                                version: number;
                                /** @description why, where somebody said so */
                                body: string;
                                /** Format: wire-date-time */
                                createTime: string;
                            }[];
                            total: number;
                            size: number;
                            current: number;
                            pages: number;
                            orders: string[];
                            searchCount: boolean;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contractPage: {
        parameters: {
            query?: {
                current?: number;
                size?: number;
                ascs?: string;
                descs?: string;
                list?: "waiting" | "inForce" | "over" | "all";
                keyword?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            records: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                /** @description for people, for example HT-2026-0087 */
                                number: string;
                                title: string;
                                /** @description "" where there is none */
                                titleEn: string;
                                kind: string;
                                /** @enum {unknown} */
                                state: "draft" | "sent" | "seen" | "signed" | "rejected" | "withdrawn" | "expired" | "ended";
                                version: number;
                                /** @description name of the tenant */
                                customer: string;
                                amountFen?: number;
                                /** Format: wire-date */
                                startDay: string;
                                /** Format: wire-date */
                                endDay: string;
                                /** Format: wire-date-time */
                                signBy: string;
                                /** Format: wire-date-time */
                                sentTime: string;
                                /** Format: wire-date-time */
                                signedTime: string;
                                /** Format: wire-date-time */
                                updateTime: string;
                                terms?: {
                                    heads: number;
                                    leftHeads: number;
                                };
                                urgent: boolean;
                            }[];
                            total: number;
                            size: number;
                            current: number;
                            pages: number;
                            orders: string[];
                            searchCount: boolean;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contractSummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            waiting: number;
                            ending: number;
                            inForce: number;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contractVersion: {
        parameters: {
            query: {
                id: string;
                version: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            version: number;
                            form: {
                                title: string;
                                titleEn: string;
                                fields: {
                                    key: string;
                                    /** @enum {unknown} */
                                    type: "text" | "money" | "date" | "party" | "number" | "choice";
                                    /**
                                     * @description amount (money), from and until (date), or none
                                     * @enum {unknown}
                                     */
                                    role: "" | "amount" | "from" | "until";
                                    required: boolean;
                                    name: string;
                                    nameEn: string;
                                    options: {
                                        zh: string;
                                        en: string;
                                    }[];
                                }[];
                                clauses: {
                                    heading: string;
                                    headingEn: string;
                                    /** @description a paragraph a line; {{key}} stands for a value */
                                    body: string;
                                    bodyEn: string;
                                }[];
                            };
                            values: {
                                [key: string]: string;
                            };
                            terms: {
                                /** @enum {unknown} */
                                category: "outer" | "inner" | "local" | "piglet" | "sow" | "boar";
                                /** @description sale field that it is for; "" for more than one */
                                field: string;
                                /** @description sale region that it is for; "" for more than one */
                                saleRegion: string;
                                /** @description mean kg per head, included */
                                fromKg: number;
                                /** @description mean kg per head, included */
                                toKg: number;
                                /**
                                 * @description `fixed`, or the price board's price of the day of the declaration
                                 * @enum {unknown}
                                 */
                                kind: "fixed" | "board";
                                /** @description fen per kg; with `board` what is added to the board's price */
                                fen: number;
                                heads: number;
                                /** @description first loading day */
                                fromDay: string;
                                /** @description last loading day */
                                toDay: string;
                                /** @description name of the field or region as it was written; "" for all */
                                place: string;
                            }[];
                            /** @description SHA-256, 64 hexadecimal digits; "" while there is none */
                            sha256: string;
                            pages: number;
                            writtenBy: string;
                            /** Format: wire-date-time */
                            createTime: string;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deviceCounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            online: number;
                            fault: number;
                            offline: number;
                            unactivated: number;
                            blocked: number;
                            total: number;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deviceDetail: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            name: string;
                            serialNumber: string;
                            /** @enum {unknown} */
                            kind: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
                            /** @enum {unknown} */
                            status: "unactivated" | "online" | "offline" | "fault" | "blocked";
                            connected: boolean;
                            bound: boolean;
                            farmId: string;
                            farmName: string;
                            houseId: string;
                            houseName: string;
                            unitId: string;
                            unitName: string;
                            firmwareVersion: string;
                            /** Format: wire-date-time */
                            reportAt: string;
                            /** Format: wire-date-time */
                            createTime: string;
                            judgedBy?: {
                                rules: {
                                    ruleId: string;
                                    enabled: boolean;
                                    /** @enum {unknown} */
                                    severity?: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                                    raiseAfterS?: number;
                                    thresholds: {
                                        [key: string]: number;
                                    };
                                }[];
                                written: {
                                    id: string;
                                    name: string;
                                    /** @enum {unknown} */
                                    severity: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                                    raiseAfterS: number;
                                    clearAfterS: number;
                                    /** @enum {unknown} */
                                    joint: "all" | "any";
                                    parts: ({
                                        /** @constant */
                                        type: "compare";
                                        /** @description another device of the same unit that the part looks at; the rule's own device where it is absent */
                                        deviceId?: string;
                                        /** @description channel or derived value of the kind */
                                        key: string;
                                        /** @enum {unknown} */
                                        op: "gt" | "ge" | "lt" | "le" | "eq" | "ne";
                                        value: number | boolean | string;
                                    } | {
                                        /** @constant */
                                        type: "change";
                                        /** @description another device of the same unit that the part looks at; the rule's own device where it is absent */
                                        deviceId?: string;
                                        /** @description channel of the kind */
                                        key: string;
                                        /** @description seconds over which the value changed */
                                        windowS: number;
                                        /** @enum {unknown} */
                                        op: "gt" | "lt";
                                        /** @description in the channel's unit */
                                        value: number;
                                    } | {
                                        /** @constant */
                                        type: "absent";
                                        /** @description another device of the same unit that the part looks at; the rule's own device where it is absent */
                                        deviceId?: string;
                                        /** @description channel of the kind */
                                        key: string;
                                        /** @description seconds without a value */
                                        afterS: number;
                                    } | {
                                        /** @constant */
                                        type: "during";
                                        /** @description local time of day */
                                        from: string;
                                        /** @description before `from` it runs over midnight */
                                        to: string;
                                    })[];
                                }[];
                                masked: {
                                    ruleIds: string[];
                                    startsMs: number;
                                    endsMs: number;
                                }[];
                                parameters: {
                                    [key: string]: unknown;
                                };
                            };
                            /** Format: wire-date-time */
                            boundTime: string;
                            isGateway: boolean;
                            positionX?: number;
                            positionY?: number;
                            heightCm?: number;
                            attributes: {
                                [key: string]: unknown;
                            };
                            dropped: {
                                reason: string;
                                count: number;
                                /** Format: wire-date-time */
                                lastAt: string;
                            }[];
                            rejected: {
                                key: string;
                                /** @enum {unknown} */
                                reason: "type" | "range" | "step";
                                count: number;
                                /** @description what the newest of them said, as JSON, shortened to 64 characters */
                                lastText: string;
                                /** Format: wire-date-time */
                                lastAt: string;
                            }[];
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deviceEventPage: {
        parameters: {
            query: {
                current?: number;
                size?: number;
                ascs?: string;
                descs?: string;
                id: string;
                type?: string;
                from?: number;
                to?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            records: {
                                eventId: string;
                                type: string;
                                ts: number;
                                fields: {
                                    [key: string]: unknown;
                                };
                            }[];
                            total: number;
                            size: number;
                            current: number;
                            pages: number;
                            orders: string[];
                            searchCount: boolean;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deviceGlance: {
        parameters: {
            query: {
                kind: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
                unitId?: string;
                id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            deviceId: string;
                            deviceName: string;
                            houseName: string;
                            unitName: string;
                            /** @enum {unknown} */
                            state: "critical" | "major" | "minor" | "offline" | "notice" | "silent" | "bare" | "ok" | "washing" | "empty";
                            figures: {
                                key: string;
                                name: {
                                    zh: string;
                                    en: string;
                                };
                                unit: {
                                    zh: string;
                                    en: string;
                                };
                                value: {
                                    zh: string;
                                    en: string;
                                };
                                standing: string;
                                state: string;
                                reason: {
                                    zh: string;
                                    en: string;
                                };
                                range: {
                                    zh: string;
                                    en: string;
                                };
                            }[];
                            trend?: {
                                key: string;
                                name: {
                                    zh: string;
                                    en: string;
                                };
                                unit: {
                                    zh: string;
                                    en: string;
                                };
                                span: string;
                                path: string;
                                band?: [
                                    number,
                                    number
                                ];
                            };
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deviceLatest: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            [key: string]: {
                                /** @description number, boolean, text or JSON */
                                value: unknown;
                                ts: number;
                            };
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    devicePage: {
        parameters: {
            query?: {
                current?: number;
                size?: number;
                ascs?: string;
                descs?: string;
                kind?: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
                status?: "unactivated" | "online" | "offline" | "fault" | "blocked";
                bound?: boolean;
                farmId?: string;
                unitId?: string;
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            records: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                name: string;
                                serialNumber: string;
                                /** @enum {unknown} */
                                kind: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
                                /** @enum {unknown} */
                                status: "unactivated" | "online" | "offline" | "fault" | "blocked";
                                connected: boolean;
                                bound: boolean;
                                farmId: string;
                                farmName: string;
                                houseId: string;
                                houseName: string;
                                unitId: string;
                                unitName: string;
                                firmwareVersion: string;
                                /** Format: wire-date-time */
                                reportAt: string;
                                /** Format: wire-date-time */
                                createTime: string;
                            }[];
                            total: number;
                            size: number;
                            current: number;
                            pages: number;
                            orders: string[];
                            searchCount: boolean;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    farmTree: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            code: string;
                            name: string;
                            /** @enum {unknown} */
                            type: "breeding" | "multiplication" | "commercial" | "boar-station";
                            /** @description province, city and district in words */
                            regionName: string;
                            latitude?: number;
                            longitude?: number;
                            houses: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                name: string;
                                /** @enum {unknown} */
                                pigstyType: "integrated" | "piglet" | "fattening" | "boar" | "reserve" | "pregnancy" | "nursing";
                                units: {
                                    /** @description snowflake id as a decimal string */
                                    id: string;
                                    name: string;
                                    /** @enum {unknown} */
                                    pigstyType: "integrated" | "piglet" | "fattening" | "boar" | "reserve" | "pregnancy" | "nursing";
                                    headCount: number;
                                    capacity: number;
                                    /** @enum {unknown} */
                                    mode: "normal" | "empty" | "washing";
                                    modeEndsMs?: number;
                                    ageDays?: number;
                                    averageWeightGrams?: number;
                                    areaSquareMeters?: number;
                                    volumeCubicMeters?: number;
                                    targetTemperature?: number;
                                }[];
                            }[];
                        }[];
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    inventoryDetail: {
        parameters: {
            query: {
                unitId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            unitId: string;
                            unitName: string;
                            houseName: string;
                            farmName: string;
                            headCount: number;
                            capacity: number;
                            categories: {
                                /** @enum {unknown} */
                                category: "fattener" | "weaner" | "suckling" | "gilt" | "sow" | "boar";
                                heads: number;
                            }[];
                            lost: number;
                            arrived: number;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    inventoryHistory: {
        parameters: {
            query?: {
                farmId?: string;
                houseId?: string;
                unitId?: string;
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            start: number;
                            end: number;
                            points: [
                                number,
                                number
                            ][];
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    inventoryPage: {
        parameters: {
            query?: {
                current?: number;
                size?: number;
                ascs?: string;
                descs?: string;
                farmId?: string;
                houseId?: string;
                unitId?: string;
                kind?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            records: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                /** @description snowflake id as a decimal string */
                                unitId: string;
                                unitName: string;
                                houseName: string;
                                farmName: string;
                                /** @enum {unknown} */
                                kind: "arrival" | "transfer" | "death" | "cull" | "sale" | "correction";
                                /** @enum {unknown} */
                                category: "fattener" | "weaner" | "suckling" | "gilt" | "sow" | "boar";
                                heads: number;
                                headsAfter: number;
                                otherUnitId: string;
                                otherUnitName: string;
                                countedHeads?: number;
                                reason: string;
                                /** Format: wire-date-time */
                                happenTime: string;
                                actorName: string;
                            }[];
                            total: number;
                            size: number;
                            current: number;
                            pages: number;
                            orders: string[];
                            searchCount: boolean;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    kindOverview: {
        parameters: {
            query?: {
                kind?: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
                place?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            code: string;
                            name: string;
                            /** @enum {unknown} */
                            type: "breeding" | "multiplication" | "commercial" | "boar-station";
                            regionName: string;
                            latitude?: number;
                            longitude?: number;
                            houses: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                name: string;
                                /** @enum {unknown} */
                                pigstyType: "integrated" | "piglet" | "fattening" | "boar" | "reserve" | "pregnancy" | "nursing";
                                units: {
                                    /** @description snowflake id as a decimal string */
                                    id: string;
                                    name: string;
                                    /** @enum {unknown} */
                                    pigstyType: "integrated" | "piglet" | "fattening" | "boar" | "reserve" | "pregnancy" | "nursing";
                                    headCount: number;
                                    capacity: number;
                                    /** @enum {unknown} */
                                    mode: "normal" | "empty" | "washing";
                                    modeEndsMs?: number;
                                    ageDays?: number;
                                    averageWeightGrams?: number;
                                    areaSquareMeters?: number;
                                    volumeCubicMeters?: number;
                                    targetTemperature?: number;
                                    deviceId: string;
                                    deviceName: string;
                                    /** @enum {unknown} */
                                    status: "unactivated" | "online" | "offline" | "fault" | "blocked";
                                    reportedAtMs?: number;
                                    readings: {
                                        [key: string]: {
                                            /** @description number, boolean, text or JSON */
                                            value: unknown;
                                            ts: number;
                                        };
                                    };
                                    judgedBy?: {
                                        rules: {
                                            ruleId: string;
                                            enabled: boolean;
                                            /** @enum {unknown} */
                                            severity?: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                                            raiseAfterS?: number;
                                            thresholds: {
                                                [key: string]: number;
                                            };
                                        }[];
                                        written: {
                                            id: string;
                                            name: string;
                                            /** @enum {unknown} */
                                            severity: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                                            raiseAfterS: number;
                                            clearAfterS: number;
                                            /** @enum {unknown} */
                                            joint: "all" | "any";
                                            parts: ({
                                                /** @constant */
                                                type: "compare";
                                                /** @description another device of the same unit that the part looks at; the rule's own device where it is absent */
                                                deviceId?: string;
                                                /** @description channel or derived value of the kind */
                                                key: string;
                                                /** @enum {unknown} */
                                                op: "gt" | "ge" | "lt" | "le" | "eq" | "ne";
                                                value: number | boolean | string;
                                            } | {
                                                /** @constant */
                                                type: "change";
                                                /** @description another device of the same unit that the part looks at; the rule's own device where it is absent */
                                                deviceId?: string;
                                                /** @description channel of the kind */
                                                key: string;
                                                /** @description seconds over which the value changed */
                                                windowS: number;
                                                /** @enum {unknown} */
                                                op: "gt" | "lt";
                                                /** @description in the channel's unit */
                                                value: number;
                                            } | {
                                                /** @constant */
                                                type: "absent";
                                                /** @description another device of the same unit that the part looks at; the rule's own device where it is absent */
                                                deviceId?: string;
                                                /** @description channel of the kind */
                                                key: string;
                                                /** @description seconds without a value */
                                                afterS: number;
                                            } | {
                                                /** @constant */
                                                type: "during";
                                                /** @description local time of day */
                                                from: string;
                                                /** @description before `from` it runs over midnight */
                                                to: string;
                                            })[];
                                        }[];
                                        masked: {
                                            ruleIds: string[];
                                            startsMs: number;
                                            endsMs: number;
                                        }[];
                                        parameters: {
                                            [key: string]: unknown;
                                        };
                                    };
                                    more: {
                                        deviceId: string;
                                        deviceName: string;
                                        /** @enum {unknown} */
                                        status: "unactivated" | "online" | "offline" | "fault" | "blocked";
                                        reportedAtMs?: number;
                                        readings: {
                                            [key: string]: {
                                                /** @description number, boolean, text or JSON */
                                                value: unknown;
                                                ts: number;
                                            };
                                        };
                                        judgedBy?: {
                                            rules: {
                                                ruleId: string;
                                                enabled: boolean;
                                                /** @enum {unknown} */
                                                severity?: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                                                raiseAfterS?: number;
                                                thresholds: {
                                                    [key: string]: number;
                                                };
                                            }[];
                                            written: {
                                                id: string;
                                                name: string;
                                                /** @enum {unknown} */
                                                severity: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                                                raiseAfterS: number;
                                                clearAfterS: number;
                                                /** @enum {unknown} */
                                                joint: "all" | "any";
                                                parts: ({
                                                    /** @constant */
                                                    type: "compare";
                                                    /** @description another device of the same unit that the part looks at; the rule's own device where it is absent */
                                                    deviceId?: string;
                                                    /** @description channel or derived value of the kind */
                                                    key: string;
                                                    /** @enum {unknown} */
                                                    op: "gt" | "ge" | "lt" | "le" | "eq" | "ne";
                                                    value: number | boolean | string;
                                                } | {
                                                    /** @constant */
                                                    type: "change";
                                                    /** @description another device of the same unit that the part looks at; the rule's own device where it is absent */
                                                    deviceId?: string;
                                                    /** @description channel of the kind */
                                                    key: string;
                                                    /** @description seconds over which the value changed */
                                                    windowS: number;
                                                    /** @enum {unknown} */
                                                    op: "gt" | "lt";
                                                    /** @description in the channel's unit */
                                                    value: number;
                                                } | {
                                                    /** @constant */
                                                    type: "absent";
                                                    /** @description another device of the same unit that the part looks at; the rule's own device where it is absent */
                                                    deviceId?: string;
                                                    /** @description channel of the kind */
                                                    key: string;
                                                    /** @description seconds without a value */
                                                    afterS: number;
                                                } | {
                                                    /** @constant */
                                                    type: "during";
                                                    /** @description local time of day */
                                                    from: string;
                                                    /** @description before `from` it runs over midnight */
                                                    to: string;
                                                })[];
                                            }[];
                                            masked: {
                                                ruleIds: string[];
                                                startsMs: number;
                                                endsMs: number;
                                            }[];
                                            parameters: {
                                                [key: string]: unknown;
                                            };
                                        };
                                    }[];
                                    judged?: {
                                        /** @enum {unknown} */
                                        state: "critical" | "major" | "minor" | "offline" | "notice" | "silent" | "bare" | "ok" | "washing" | "empty";
                                        problem?: {
                                            zh: string;
                                            en: string;
                                        };
                                        urgency: number;
                                    };
                                }[];
                                unlisted?: {
                                    units: number;
                                    headCount: number;
                                    devices: number;
                                    online: number;
                                    fault: number;
                                    offline: number;
                                    silent: number;
                                    bare: number;
                                    alarms: {
                                        WARN: number;
                                        MINOR: number;
                                        MAJOR: number;
                                        CRITICAL: number;
                                    };
                                };
                            }[];
                            devices: {
                                deviceId: string;
                                deviceName: string;
                                /** @enum {unknown} */
                                status: "unactivated" | "online" | "offline" | "fault" | "blocked";
                                reportedAtMs?: number;
                                readings: {
                                    [key: string]: {
                                        /** @description number, boolean, text or JSON */
                                        value: unknown;
                                        ts: number;
                                    };
                                };
                                judgedBy?: {
                                    rules: {
                                        ruleId: string;
                                        enabled: boolean;
                                        /** @enum {unknown} */
                                        severity?: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                                        raiseAfterS?: number;
                                        thresholds: {
                                            [key: string]: number;
                                        };
                                    }[];
                                    written: {
                                        id: string;
                                        name: string;
                                        /** @enum {unknown} */
                                        severity: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                                        raiseAfterS: number;
                                        clearAfterS: number;
                                        /** @enum {unknown} */
                                        joint: "all" | "any";
                                        parts: ({
                                            /** @constant */
                                            type: "compare";
                                            /** @description another device of the same unit that the part looks at; the rule's own device where it is absent */
                                            deviceId?: string;
                                            /** @description channel or derived value of the kind */
                                            key: string;
                                            /** @enum {unknown} */
                                            op: "gt" | "ge" | "lt" | "le" | "eq" | "ne";
                                            value: number | boolean | string;
                                        } | {
                                            /** @constant */
                                            type: "change";
                                            /** @description another device of the same unit that the part looks at; the rule's own device where it is absent */
                                            deviceId?: string;
                                            /** @description channel of the kind */
                                            key: string;
                                            /** @description seconds over which the value changed */
                                            windowS: number;
                                            /** @enum {unknown} */
                                            op: "gt" | "lt";
                                            /** @description in the channel's unit */
                                            value: number;
                                        } | {
                                            /** @constant */
                                            type: "absent";
                                            /** @description another device of the same unit that the part looks at; the rule's own device where it is absent */
                                            deviceId?: string;
                                            /** @description channel of the kind */
                                            key: string;
                                            /** @description seconds without a value */
                                            afterS: number;
                                        } | {
                                            /** @constant */
                                            type: "during";
                                            /** @description local time of day */
                                            from: string;
                                            /** @description before `from` it runs over midnight */
                                            to: string;
                                        })[];
                                    }[];
                                    masked: {
                                        ruleIds: string[];
                                        startsMs: number;
                                        endsMs: number;
                                    }[];
                                    parameters: {
                                        [key: string]: unknown;
                                    };
                                };
                            }[];
                            unlisted?: {
                                units: number;
                                headCount: number;
                                devices: number;
                                online: number;
                                fault: number;
                                offline: number;
                                silent: number;
                                bare: number;
                                alarms: {
                                    WARN: number;
                                    MINOR: number;
                                    MAJOR: number;
                                    CRITICAL: number;
                                };
                            };
                        }[];
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    orderView: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            number: string;
                            /** @description of the process sale_order */
                            state: string;
                            /** @description name of the tenant that buys; "" for the customer itself */
                            customer: string;
                            /** @description heads */
                            heads: number;
                            /** @description fen per kg */
                            pricePerKg: number;
                            contractTerm?: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                number: string;
                                /** @description snowflake id as a decimal string */
                                contract: string;
                            };
                            /** @description fen */
                            expectedFen: number;
                            /** @description fen; what arrived without what was paid back */
                            paidFen: number;
                            /** @description g; net weight of the confirmed weighings */
                            weighedGrams: number;
                            /** @description fen; the confirmed settlement with its notes, before it the expected amount, without what was paid and a held deposit; negative where money is paid back */
                            dueFen: number;
                            /** @description fen; the winner's deposit for its lot, which counts as paid once the rest of the prepayment arrives */
                            depositFen: number;
                            plan: {
                                number: string;
                                /** @description name of the sale field */
                                field: string;
                                /** @description name of the sale region of the field; "" for none */
                                region: string;
                                /** Format: wire-date */
                                day: string;
                                /** @description key of saleCategories */
                                category: string;
                                /** @description kg per head, included */
                                fromKg: number;
                                /** @description kg per head */
                                toKg: number;
                            };
                            times: {
                                /** Format: wire-date-time */
                                planned: string;
                                /** Format: wire-date-time */
                                paid: string;
                                /** Format: wire-date-time */
                                confirmed: string;
                                /** Format: wire-date-time */
                                loading: string;
                                /** Format: wire-date-time */
                                weighed: string;
                                /** Format: wire-date-time */
                                settled: string;
                                /** Format: wire-date-time */
                                completed: string;
                                /** Format: wire-date-time */
                                cancelled: string;
                            };
                            payments: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                number: string;
                                /** @description `prepayment`, `balance` or `refund` */
                                kind: string;
                                /** @description fen */
                                amountFen: number;
                                /** @description of the process payment */
                                state: string;
                                bankReference: string;
                                /** Format: wire-date */
                                receivedOn: string;
                            }[];
                            invoices: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                number: string;
                                /** @description fen */
                                amountFen: number;
                                /** @description of the process invoice */
                                state: string;
                                /** @description of the tax authority; "" before it is issued */
                                invoiceNumber: string;
                            }[];
                            notes: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                number: string;
                                /** @description `credit` or `debit` */
                                kind: string;
                                /** @description fen */
                                amountFen: number;
                                reasons: string;
                                /** @description of the process note */
                                state: string;
                            }[];
                            vehicles: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                number: string;
                                plate: string;
                                /** @description heads */
                                heads: number;
                                /** @description of the process transit */
                                state: string;
                                disinfection: {
                                    /** @description "" for none */
                                    number: string;
                                    /** @description by the database's clock; `few` is for fewer heads than the vehicle loads */
                                    state: "ok" | "missing" | "expired" | "few";
                                    /** Format: wire-date-time */
                                    until: string;
                                    dried: boolean;
                                };
                                quarantine: {
                                    /** @description "" for none */
                                    number: string;
                                    /** @description by the database's clock; `few` is for fewer heads than the vehicle loads */
                                    state: "ok" | "missing" | "expired" | "few";
                                    /** Format: wire-date */
                                    until: string;
                                };
                                /** Format: wire-date-time */
                                departedAt: string;
                                /** Format: wire-date-time */
                                arrivedAt: string;
                                /** @description "" where nobody entered it */
                                destination: string;
                                flags: {
                                    /** @description `stop`: more than 15 minutes within 1 km of a farm other than the one where it loads; `gap`: more than 30 minutes on the way without a position; `wash`: its disinfection certificate was over when it departed */
                                    kind: "stop" | "gap" | "wash";
                                    fromMs: number;
                                    toMs: number;
                                    /** @description millionths of a degree; left out where nothing says where it was */
                                    latitude?: number;
                                    /** @description millionths of a degree */
                                    longitude?: number;
                                    /** @description name of the farm; "" for one that is not the reader's */
                                    farm: string;
                                    /** @description m from the farm */
                                    metres?: number;
                                }[];
                            }[];
                            weighings: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                number: string;
                                plate: string;
                                /** @description g */
                                grossGrams: number;
                                /** @description g */
                                tareGrams: number;
                                /** @description g */
                                netGrams: number;
                                /** @description heads */
                                heads: number;
                                /** @description g per head, rounded as for a settlement */
                                meanGrams: number;
                                /** @description of the process weighing */
                                state: string;
                                source: "hand" | "scale";
                                tickets: {
                                    ticket: string;
                                    use: "tare" | "gross";
                                    /** @description g */
                                    weightGrams: number;
                                    stable: boolean;
                                    weighedMs: number;
                                    /** @description name of the weighbridge; "" once it was removed */
                                    device: string;
                                }[];
                            }[];
                            arrivals: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                number: string;
                                plate: string;
                                /** @description g */
                                grossGrams: number;
                                /** @description g */
                                tareGrams: number;
                                /** @description g */
                                netGrams: number;
                                /** @description g; net weight at loading that it was compared with */
                                loadingGrams: number;
                                /** @description name of the picture of the ticket; "" where a weighbridge sent it */
                                photo: string;
                                /** @description of the process arrival_weighing */
                                state: string;
                                source: "hand" | "scale";
                                tickets: {
                                    ticket: string;
                                    use: "tare" | "gross";
                                    /** @description g */
                                    weightGrams: number;
                                    stable: boolean;
                                    weighedMs: number;
                                    /** @description name of the weighbridge; "" once it was removed */
                                    device: string;
                                }[];
                            }[];
                            passport?: {
                                /** @description follows `passportPath` in the address of the page */
                                code: string;
                                version: number;
                                /** Format: wire-date-time */
                                issueTime: string;
                            };
                            settlement?: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                number: string;
                                /** @description of the process settlement */
                                state: string;
                                /** @description heads */
                                heads: number;
                                /** @description g */
                                netGrams: number;
                                /** @description fen; sum of the lines' amounts */
                                goodsFen: number;
                                /** @description fen */
                                deductionFen: number;
                                deductionReason: string;
                                /** @description fen */
                                taxFen: number;
                                /** @description fen */
                                totalFen: number;
                                /** @description fen; paid when it was computed */
                                paidFen: number;
                                /** @description fen; total without what was paid, negative where money is paid back */
                                leftFen: number;
                                lines: {
                                    plate: string;
                                    /** @description g */
                                    grossGrams: number;
                                    /** @description g */
                                    tareGrams: number;
                                    /** @description g */
                                    netGrams: number;
                                    /** @description heads */
                                    heads: number;
                                    /** @description g */
                                    meanGrams: number;
                                    band?: {
                                        /** @description g */
                                        fromGrams: number;
                                        /** @description g */
                                        toGrams: number;
                                        /** @description fen per kg */
                                        adjustmentFen: number;
                                    };
                                    /** @description fen per kg */
                                    fenPerKg: number;
                                    /** @description fen per kg */
                                    adjustmentFen: number;
                                    /** @description fen per kg */
                                    unitFen: number;
                                    /** @description g */
                                    deadGrams: number;
                                    /** @description g */
                                    shareGrams: number;
                                    /** @description g */
                                    paidGrams: number;
                                    /** @description fen */
                                    goodsFen: number;
                                    /** @description fen */
                                    fixedFen: number;
                                    /** @description fen */
                                    amountFen: number;
                                }[];
                            };
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    structureList: {
        parameters: {
            query?: {
                farmId?: string;
                houseId?: string;
                unitId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            /** @enum {unknown} */
                            kind: "farm" | "house" | "unit" | "device";
                            parentId: string;
                            /** @description snowflake id as a decimal string */
                            farmId: string;
                            houseId: string;
                            unitId: string;
                            code: string;
                            name: string;
                            version: number;
                            inUse: boolean;
                            headCount: number;
                            capacity: number;
                            children: number;
                            units: number;
                            devices: number;
                            alarms: number;
                            asking: number;
                            severity: number;
                            /** @enum {unknown} */
                            farmType?: "breeding" | "multiplication" | "commercial" | "boar-station";
                            /** @enum {unknown} */
                            pigstyType?: "integrated" | "piglet" | "fattening" | "boar" | "reserve" | "pregnancy" | "nursing";
                            /** @enum {unknown} */
                            mode?: "normal" | "empty" | "washing";
                            /** @enum {unknown} */
                            deviceKind?: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
                            /** @enum {unknown} */
                            deviceStatus?: "unactivated" | "online" | "offline" | "fault" | "blocked";
                        }[];
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    suggestionDetail: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            /** @description for people, for example SH-260403-014 */
                            number: string;
                            /** @enum {unknown} */
                            type: "after_sales" | "complaint" | "suggestion";
                            /** @enum {unknown} */
                            state: "pending" | "in_process" | "waiting_customer" | "completed" | "closed" | "cancelled" | "merged" | "adopted" | "rejected";
                            title: string;
                            /** @description of a complaint or suggestion: product, service, delivery, price, website, other; else "" */
                            category: string;
                            /** @description of after-sales: remote, return_factory; else "" */
                            repairMode: string;
                            /** @description kind of the device; "" for none */
                            productId: string;
                            deviceName: string;
                            /** @description farm, house and unit, with " / " between them */
                            place: string;
                            /** @description name of the tenant */
                            customer: string;
                            raiser: string;
                            /** @description who of the desk has it; "" for nobody */
                            assignee: string;
                            /** @description the caller has it (desk), or raised it (customer) */
                            mine: boolean;
                            /** Format: wire-date-time */
                            createTime: string;
                            /** Format: wire-date-time */
                            updateTime: string;
                            /** Format: wire-date-time */
                            firstDueTime: string;
                            /** Format: wire-date-time */
                            firstAnswerTime: string;
                            /** Format: wire-date-time */
                            solveDueTime: string;
                            /** Format: wire-date-time */
                            solveTime: string;
                            overdue: boolean;
                            urges: number;
                            /** @description 0 while it is not rated */
                            rating: number;
                            version: number;
                            description: string;
                            orderNumber: string;
                            deviceId: string;
                            may: ("reply" | "urge" | "receive" | "cancel" | "rate" | "reopen" | "claim" | "assign" | "answer" | "ask" | "note" | "ship" | "arrive" | "remote" | "redirect" | "complete" | "merge" | "adopt" | "reject" | "publish" | "close")[];
                            /** Format: wire-date-time */
                            urgeTime: string;
                            minutesLeft?: number;
                            minutesOfAll: number;
                            windows: {
                                /** Format: wire-date-time */
                                startTime: string;
                                /** Format: wire-date-time */
                                endTime: string;
                            }[];
                            mergedInto: string;
                            published: boolean;
                            entries: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                /** @enum {unknown} */
                                what: "raise" | "absorb" | "reply" | "urge" | "receive" | "cancel" | "rate" | "reopen" | "claim" | "assign" | "answer" | "ask" | "note" | "ship" | "arrive" | "remote" | "redirect" | "complete" | "merge" | "adopt" | "reject" | "publish" | "close";
                                /** @enum {unknown} */
                                side: "customer" | "desk" | "clock";
                                /** @description who it was; "" for the clock */
                                name: string;
                                body: string;
                                /** @description only the desk sees it */
                                internal: boolean;
                                photos: string[];
                                items: string;
                                carrier: string;
                                tracking: string;
                                other: string;
                                rating: number;
                                /** @description length of a remote session; 0 where there was none */
                                minutes: number;
                                /** Format: wire-date-time */
                                createTime: string;
                            }[];
                            snapshot?: {
                                startMs: number;
                                endMs: number;
                                /** @description snowflake id as a decimal string */
                                deviceId: string;
                                deviceName: string;
                                serialNumber: string;
                                /** @enum {unknown} */
                                kind: "environment" | "needleless" | "cough" | "temperature" | "bathroom" | "disinfect" | "deodorization" | "bungalow-deodorization" | "dosing-station" | "weighbridge";
                                firmwareVersion: string;
                                status: string;
                                place: string;
                                /** @description normal, empty, washing */
                                mode: string;
                                headCount?: number;
                                series: {
                                    key: string;
                                    points: [
                                        number,
                                        number
                                    ][];
                                }[];
                                alarms: {
                                    ruleId: string;
                                    /** @description of a rule of the farm's own; else "" */
                                    ruleName: string;
                                    /** @enum {unknown} */
                                    severity: "WARN" | "MINOR" | "MAJOR" | "CRITICAL";
                                    raisedMs: number;
                                    endedMs?: number;
                                }[];
                            };
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    suggestionPage: {
        parameters: {
            query?: {
                current?: number;
                size?: number;
                ascs?: string;
                descs?: string;
                state?: "open" | "completed" | "pending" | "in_process" | "waiting_customer";
                keyword?: string;
                deviceId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            records: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                /** @description for people, for example SH-260403-014 */
                                number: string;
                                /** @enum {unknown} */
                                type: "after_sales" | "complaint" | "suggestion";
                                /** @enum {unknown} */
                                state: "pending" | "in_process" | "waiting_customer" | "completed" | "closed" | "cancelled" | "merged" | "adopted" | "rejected";
                                title: string;
                                /** @description of a complaint or suggestion: product, service, delivery, price, website, other; else "" */
                                category: string;
                                /** @description of after-sales: remote, return_factory; else "" */
                                repairMode: string;
                                /** @description kind of the device; "" for none */
                                productId: string;
                                deviceName: string;
                                /** @description farm, house and unit, with " / " between them */
                                place: string;
                                /** @description name of the tenant */
                                customer: string;
                                raiser: string;
                                /** @description who of the desk has it; "" for nobody */
                                assignee: string;
                                /** @description the caller has it (desk), or raised it (customer) */
                                mine: boolean;
                                /** Format: wire-date-time */
                                createTime: string;
                                /** Format: wire-date-time */
                                updateTime: string;
                                /** Format: wire-date-time */
                                firstDueTime: string;
                                /** Format: wire-date-time */
                                firstAnswerTime: string;
                                /** Format: wire-date-time */
                                solveDueTime: string;
                                /** Format: wire-date-time */
                                solveTime: string;
                                overdue: boolean;
                                urges: number;
                                /** @description 0 while it is not rated */
                                rating: number;
                                version: number;
                            }[];
                            total: number;
                            size: number;
                            current: number;
                            pages: number;
                            orders: string[];
                            searchCount: boolean;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    telemetryDownload: {
        parameters: {
            query: {
                ids: string;
                keys?: string;
                start: number;
                end: number;
                resolution?: "raw" | "minute" | "hour" | "day";
                format: "csv" | "ndjson" | "parquet";
                language?: "zh" | "en";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    telemetryHistory: {
        parameters: {
            query: {
                id: string;
                key: string;
                start: number;
                end: number;
                resolution?: "auto" | "raw" | "minute" | "hour" | "day";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            key: string;
                            /** @enum {unknown} */
                            resolution: "raw" | "minute" | "hour" | "day";
                            points: unknown[][];
                            truncated?: boolean;
                            rejected?: [
                                number,
                                number,
                                number
                            ][];
                            unreliable?: [
                                number,
                                number
                            ][];
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    telemetrySeries: {
        parameters: {
            query: {
                ids: string;
                keys: string;
                start: number;
                end: number;
                resolution?: "auto" | "raw" | "minute" | "hour" | "day";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @enum {unknown} */
                            resolution: "raw" | "minute" | "hour" | "day";
                            series: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                key: string;
                                points: unknown[][];
                                truncated?: boolean;
                                rejected?: [
                                    number,
                                    number,
                                    number
                                ][];
                                unreliable?: [
                                    number,
                                    number
                                ][];
                            }[];
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    transitTrack: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            points: {
                                atMs: number;
                                /** @description m that were driven until there */
                                metres: number;
                            }[];
                            /** @description positions that can't be: too fast to be reached, or too inexact */
                            rejected: number;
                            flags: {
                                /** @description `stop`: more than 15 minutes within 1 km of a farm other than the one where it loads; `gap`: more than 30 minutes on the way without a position; `wash`: its disinfection certificate was over when it departed */
                                kind: "stop" | "gap" | "wash";
                                fromMs: number;
                                toMs: number;
                                /** @description millionths of a degree; left out where nothing says where it was */
                                latitude?: number;
                                /** @description millionths of a degree */
                                longitude?: number;
                                /** @description name of the farm; "" for one that is not the reader's */
                                farm: string;
                                /** @description m from the farm */
                                metres?: number;
                            }[];
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    unitOverview: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            pigstyType: "integrated" | "piglet" | "fattening" | "boar" | "reserve" | "pregnancy" | "nursing";
                            headCount: number;
                            capacity: number;
                            /** @enum {unknown} */
                            mode: "normal" | "empty" | "washing";
                            modeEndsMs?: number;
                            ageDays?: number;
                            averageWeightGrams?: number;
                            areaSquareMeters?: number;
                            volumeCubicMeters?: number;
                            targetTemperature?: number;
                            /** @description snowflake id as a decimal string */
                            farmId: string;
                            farmName: string;
                            /** @description snowflake id as a decimal string */
                            houseId: string;
                            houseName: string;
                            previousUnitId: string;
                            nextUnitId: string;
                            environmentDeviceId: string;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    workOrderSummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            open: number;
                            waiting: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                /** @description for people, for example SH-260403-014 */
                                number: string;
                                /** @enum {unknown} */
                                type: "after_sales" | "complaint" | "suggestion";
                                /** @enum {unknown} */
                                state: "pending" | "in_process" | "waiting_customer" | "completed" | "closed" | "cancelled" | "merged" | "adopted" | "rejected";
                                title: string;
                                /** @description of a complaint or suggestion: product, service, delivery, price, website, other; else "" */
                                category: string;
                                /** @description of after-sales: remote, return_factory; else "" */
                                repairMode: string;
                                /** @description kind of the device; "" for none */
                                productId: string;
                                deviceName: string;
                                /** @description farm, house and unit, with " / " between them */
                                place: string;
                                /** @description name of the tenant */
                                customer: string;
                                raiser: string;
                                /** @description who of the desk has it; "" for nobody */
                                assignee: string;
                                /** @description the caller has it (desk), or raised it (customer) */
                                mine: boolean;
                                /** Format: wire-date-time */
                                createTime: string;
                                /** Format: wire-date-time */
                                updateTime: string;
                                /** Format: wire-date-time */
                                firstDueTime: string;
                                /** Format: wire-date-time */
                                firstAnswerTime: string;
                                /** Format: wire-date-time */
                                solveDueTime: string;
                                /** Format: wire-date-time */
                                solveTime: string;
                                overdue: boolean;
                                urges: number;
                                /** @description 0 while it is not rated */
                                rating: number;
                                version: number;
                            }[];
                            toRate: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                /** @description for people, for example SH-260403-014 */
                                number: string;
                                /** @enum {unknown} */
                                type: "after_sales" | "complaint" | "suggestion";
                                /** @enum {unknown} */
                                state: "pending" | "in_process" | "waiting_customer" | "completed" | "closed" | "cancelled" | "merged" | "adopted" | "rejected";
                                title: string;
                                /** @description of a complaint or suggestion: product, service, delivery, price, website, other; else "" */
                                category: string;
                                /** @description of after-sales: remote, return_factory; else "" */
                                repairMode: string;
                                /** @description kind of the device; "" for none */
                                productId: string;
                                deviceName: string;
                                /** @description farm, house and unit, with " / " between them */
                                place: string;
                                /** @description name of the tenant */
                                customer: string;
                                raiser: string;
                                /** @description who of the desk has it; "" for nobody */
                                assignee: string;
                                /** @description the caller has it (desk), or raised it (customer) */
                                mine: boolean;
                                /** Format: wire-date-time */
                                createTime: string;
                                /** Format: wire-date-time */
                                updateTime: string;
                                /** Format: wire-date-time */
                                firstDueTime: string;
                                /** Format: wire-date-time */
                                firstAnswerTime: string;
                                /** Format: wire-date-time */
                                solveDueTime: string;
                                /** Format: wire-date-time */
                                solveTime: string;
                                overdue: boolean;
                                urges: number;
                                /** @description 0 while it is not rated */
                                rating: number;
                                version: number;
                            }[];
                            late: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                /** @description for people, for example SH-260403-014 */
                                number: string;
                                /** @enum {unknown} */
                                type: "after_sales" | "complaint" | "suggestion";
                                /** @enum {unknown} */
                                state: "pending" | "in_process" | "waiting_customer" | "completed" | "closed" | "cancelled" | "merged" | "adopted" | "rejected";
                                title: string;
                                /** @description of a complaint or suggestion: product, service, delivery, price, website, other; else "" */
                                category: string;
                                /** @description of after-sales: remote, return_factory; else "" */
                                repairMode: string;
                                /** @description kind of the device; "" for none */
                                productId: string;
                                deviceName: string;
                                /** @description farm, house and unit, with " / " between them */
                                place: string;
                                /** @description name of the tenant */
                                customer: string;
                                raiser: string;
                                /** @description who of the desk has it; "" for nobody */
                                assignee: string;
                                /** @description the caller has it (desk), or raised it (customer) */
                                mine: boolean;
                                /** Format: wire-date-time */
                                createTime: string;
                                /** Format: wire-date-time */
                                updateTime: string;
                                /** Format: wire-date-time */
                                firstDueTime: string;
                                /** Format: wire-date-time */
                                firstAnswerTime: string;
                                /** Format: wire-date-time */
                                solveDueTime: string;
                                /** Format: wire-date-time */
                                solveTime: string;
                                overdue: boolean;
                                urges: number;
                                /** @description 0 while it is not rated */
                                rating: number;
                                version: number;
                            }[];
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    declaration_page: {
        parameters: {
            query?: {
                current?: number;
                size?: number;
                ascs?: string;
                descs?: string;
                keyword?: string;
                ids?: string;
                updateTime_ge?: string;
                updateTime_le?: string;
                tenantId?: string;
                number?: string;
                number_equal?: string;
                plan?: string;
                plan_equal?: string;
                day_ge?: string;
                day_le?: string;
                day_equal?: string;
                heads_ge?: string;
                heads_le?: string;
                heads_equal?: string;
                pricePerKg_ge?: string;
                pricePerKg_le?: string;
                pricePerKg_equal?: string;
                field?: string;
                field_equal?: string;
                plate?: string;
                plate_equal?: string;
                order?: string;
                order_equal?: string;
                category?: string;
                category_equal?: string;
                state?: string;
                state_equal?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            records: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                tenantId: string;
                                tenantName: string;
                                number: string;
                                plan: string;
                                planName: string;
                                /** Format: wire-date */
                                day: string;
                                heads?: number;
                                /** @description in 10^-2 元/kg */
                                pricePerKg?: number;
                                field: string;
                                fieldName: string;
                                contractTerm: string;
                                contractTermName: string;
                                plate: string;
                                note: string;
                                order: string;
                                orderName: string;
                                declineReason: string;
                                /** Format: wire-date-time */
                                expiresAt: string;
                                category: string;
                                state: string;
                                version: number;
                                createUser: string;
                                createUserName: string;
                                createDept: string;
                                /** Format: wire-date-time */
                                createTime: string;
                                updateUser: string;
                                updateUserName: string;
                                /** Format: wire-date-time */
                                updateTime: string;
                                status: number;
                                isDeleted: number;
                            }[];
                            total: number;
                            size: number;
                            current: number;
                            pages: number;
                            orders: string[];
                            searchCount: boolean;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    declaration_detail: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            tenantId: string;
                            tenantName: string;
                            number: string;
                            plan: string;
                            planName: string;
                            /** Format: wire-date */
                            day: string;
                            heads?: number;
                            /** @description in 10^-2 元/kg */
                            pricePerKg?: number;
                            field: string;
                            fieldName: string;
                            contractTerm: string;
                            contractTermName: string;
                            plate: string;
                            note: string;
                            order: string;
                            orderName: string;
                            declineReason: string;
                            /** Format: wire-date-time */
                            expiresAt: string;
                            category: string;
                            state: string;
                            version: number;
                            createUser: string;
                            createUserName: string;
                            createDept: string;
                            /** Format: wire-date-time */
                            createTime: string;
                            updateUser: string;
                            updateUserName: string;
                            /** Format: wire-date-time */
                            updateTime: string;
                            status: number;
                            isDeleted: number;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    sale_order_page: {
        parameters: {
            query?: {
                current?: number;
                size?: number;
                ascs?: string;
                descs?: string;
                keyword?: string;
                ids?: string;
                updateTime_ge?: string;
                updateTime_le?: string;
                tenantId?: string;
                number?: string;
                number_equal?: string;
                plan?: string;
                plan_equal?: string;
                contractTerm?: string;
                contractTerm_equal?: string;
                next?: string;
                next_equal?: string;
                day_ge?: string;
                day_le?: string;
                day_equal?: string;
                heads_ge?: string;
                heads_le?: string;
                heads_equal?: string;
                dueFen_ge?: string;
                dueFen_le?: string;
                dueFen_equal?: string;
                expectedFen_ge?: string;
                expectedFen_le?: string;
                expectedFen_equal?: string;
                paidFen_ge?: string;
                paidFen_le?: string;
                paidFen_equal?: string;
                pricePerKg_ge?: string;
                pricePerKg_le?: string;
                pricePerKg_equal?: string;
                field?: string;
                field_equal?: string;
                category?: string;
                category_equal?: string;
                mode?: string;
                mode_equal?: string;
                plate?: string;
                plate_equal?: string;
                state?: string;
                state_equal?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            records: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                tenantId: string;
                                tenantName: string;
                                number: string;
                                plan: string;
                                planName: string;
                                declaration: string;
                                declarationName: string;
                                lot: string;
                                lotName: string;
                                contractTerm: string;
                                contractTermName: string;
                                next: string;
                                /** Format: wire-date */
                                day: string;
                                heads?: number;
                                /** @description in 10^-2 元 */
                                dueFen?: number;
                                /** @description in 10^-2 元 */
                                expectedFen?: number;
                                /** @description in 10^-2 元 */
                                finalFen?: number;
                                /** @description in 10^-2 元 */
                                paidFen?: number;
                                /** @description in 10^-2 元/kg */
                                pricePerKg?: number;
                                field: string;
                                fieldName: string;
                                category: string;
                                mode: string;
                                plate: string;
                                /** Format: wire-date-time */
                                payBy: string;
                                /** Format: wire-date-time */
                                actBy: string;
                                /** Format: wire-date-time */
                                lateSince: string;
                                wrong: string;
                                state: string;
                                version: number;
                                createUser: string;
                                createUserName: string;
                                createDept: string;
                                /** Format: wire-date-time */
                                createTime: string;
                                updateUser: string;
                                updateUserName: string;
                                /** Format: wire-date-time */
                                updateTime: string;
                                status: number;
                                isDeleted: number;
                            }[];
                            total: number;
                            size: number;
                            current: number;
                            pages: number;
                            orders: string[];
                            searchCount: boolean;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    sale_order_detail: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            tenantId: string;
                            tenantName: string;
                            number: string;
                            plan: string;
                            planName: string;
                            declaration: string;
                            declarationName: string;
                            lot: string;
                            lotName: string;
                            contractTerm: string;
                            contractTermName: string;
                            next: string;
                            /** Format: wire-date */
                            day: string;
                            heads?: number;
                            /** @description in 10^-2 元 */
                            dueFen?: number;
                            /** @description in 10^-2 元 */
                            expectedFen?: number;
                            /** @description in 10^-2 元 */
                            finalFen?: number;
                            /** @description in 10^-2 元 */
                            paidFen?: number;
                            /** @description in 10^-2 元/kg */
                            pricePerKg?: number;
                            field: string;
                            fieldName: string;
                            category: string;
                            mode: string;
                            plate: string;
                            /** Format: wire-date-time */
                            payBy: string;
                            /** Format: wire-date-time */
                            actBy: string;
                            /** Format: wire-date-time */
                            lateSince: string;
                            wrong: string;
                            state: string;
                            version: number;
                            createUser: string;
                            createUserName: string;
                            createDept: string;
                            /** Format: wire-date-time */
                            createTime: string;
                            updateUser: string;
                            updateUserName: string;
                            /** Format: wire-date-time */
                            updateTime: string;
                            status: number;
                            isDeleted: number;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    transit_page: {
        parameters: {
            query?: {
                current?: number;
                size?: number;
                ascs?: string;
                descs?: string;
                keyword?: string;
                ids?: string;
                updateTime_ge?: string;
                updateTime_le?: string;
                tenantId?: string;
                number?: string;
                number_equal?: string;
                order?: string;
                order_equal?: string;
                day_ge?: string;
                day_le?: string;
                day_equal?: string;
                plate?: string;
                plate_equal?: string;
                heads_ge?: string;
                heads_le?: string;
                heads_equal?: string;
                washEnds_ge?: string;
                washEnds_le?: string;
                driverName?: string;
                driverName_equal?: string;
                disinfectionNumber?: string;
                disinfectionNumber_equal?: string;
                quarantineNumber?: string;
                quarantineNumber_equal?: string;
                departedAt_ge?: string;
                departedAt_le?: string;
                arrivedAt_ge?: string;
                arrivedAt_le?: string;
                flagged?: string;
                flagged_equal?: string;
                state?: string;
                state_equal?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            records: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                tenantId: string;
                                tenantName: string;
                                number: string;
                                order: string;
                                orderName: string;
                                /** Format: wire-date */
                                day: string;
                                missing: string;
                                plate: string;
                                heads?: number;
                                /** Format: wire-date-time */
                                washEnds: string;
                                driverName: string;
                                driverPhone: string;
                                destination: string;
                                disinfectionNumber: string;
                                /** Format: wire-date-time */
                                disinfectedAt: string;
                                /** Format: wire-date-time */
                                disinfectionUntil: string;
                                dried: boolean;
                                quarantineNumber: string;
                                quarantineHeads?: number;
                                /** Format: wire-date */
                                quarantineUntil: string;
                                /** Format: wire-date-time */
                                departedAt: string;
                                /** Format: wire-date-time */
                                arrivedAt: string;
                                flagged: string;
                                state: string;
                                version: number;
                                createUser: string;
                                createUserName: string;
                                createDept: string;
                                /** Format: wire-date-time */
                                createTime: string;
                                updateUser: string;
                                updateUserName: string;
                                /** Format: wire-date-time */
                                updateTime: string;
                                status: number;
                                isDeleted: number;
                            }[];
                            total: number;
                            size: number;
                            current: number;
                            pages: number;
                            orders: string[];
                            searchCount: boolean;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    transit_detail: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            tenantId: string;
                            tenantName: string;
                            number: string;
                            order: string;
                            orderName: string;
                            /** Format: wire-date */
                            day: string;
                            missing: string;
                            plate: string;
                            heads?: number;
                            /** Format: wire-date-time */
                            washEnds: string;
                            driverName: string;
                            driverPhone: string;
                            destination: string;
                            disinfectionNumber: string;
                            /** Format: wire-date-time */
                            disinfectedAt: string;
                            /** Format: wire-date-time */
                            disinfectionUntil: string;
                            dried: boolean;
                            quarantineNumber: string;
                            quarantineHeads?: number;
                            /** Format: wire-date */
                            quarantineUntil: string;
                            /** Format: wire-date-time */
                            departedAt: string;
                            /** Format: wire-date-time */
                            arrivedAt: string;
                            flagged: string;
                            state: string;
                            version: number;
                            createUser: string;
                            createUserName: string;
                            createDept: string;
                            /** Format: wire-date-time */
                            createTime: string;
                            updateUser: string;
                            updateUserName: string;
                            /** Format: wire-date-time */
                            updateTime: string;
                            status: number;
                            isDeleted: number;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    settlement_page: {
        parameters: {
            query?: {
                current?: number;
                size?: number;
                ascs?: string;
                descs?: string;
                keyword?: string;
                ids?: string;
                updateTime_ge?: string;
                updateTime_le?: string;
                tenantId?: string;
                number?: string;
                number_equal?: string;
                order?: string;
                order_equal?: string;
                totalFen_ge?: string;
                totalFen_le?: string;
                totalFen_equal?: string;
                openFen_ge?: string;
                openFen_le?: string;
                openFen_equal?: string;
                heads_ge?: string;
                heads_le?: string;
                heads_equal?: string;
                netGrams_ge?: string;
                netGrams_le?: string;
                netGrams_equal?: string;
                pricePerKg_ge?: string;
                pricePerKg_le?: string;
                pricePerKg_equal?: string;
                state?: string;
                state_equal?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            records: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                tenantId: string;
                                tenantName: string;
                                number: string;
                                order: string;
                                orderName: string;
                                /** @description in 10^-2 元 */
                                totalFen?: number;
                                /** @description in 10^-2 元 */
                                openFen?: number;
                                heads?: number;
                                /** @description in 10^-3 kg */
                                netGrams?: number;
                                /** @description in 10^-2 元/kg */
                                pricePerKg?: number;
                                /** @description in 10^-2 元 */
                                goodsFen?: number;
                                /** @description in 10^-2 元 */
                                taxFen?: number;
                                /** @description in 10^-2 元 */
                                paidFen?: number;
                                /** @description in 10^-2 元 */
                                leftFen?: number;
                                /** @description in 10^-2 元 */
                                notesFen?: number;
                                /** Format: wire-date-time */
                                lateSince: string;
                                need: string;
                                state: string;
                                version: number;
                                createUser: string;
                                createUserName: string;
                                createDept: string;
                                /** Format: wire-date-time */
                                createTime: string;
                                updateUser: string;
                                updateUserName: string;
                                /** Format: wire-date-time */
                                updateTime: string;
                                status: number;
                                isDeleted: number;
                            }[];
                            total: number;
                            size: number;
                            current: number;
                            pages: number;
                            orders: string[];
                            searchCount: boolean;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    settlement_detail: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            tenantId: string;
                            tenantName: string;
                            number: string;
                            order: string;
                            orderName: string;
                            /** @description in 10^-2 元 */
                            totalFen?: number;
                            /** @description in 10^-2 元 */
                            openFen?: number;
                            heads?: number;
                            /** @description in 10^-3 kg */
                            netGrams?: number;
                            /** @description in 10^-2 元/kg */
                            pricePerKg?: number;
                            /** @description in 10^-2 元 */
                            goodsFen?: number;
                            /** @description in 10^-2 元 */
                            taxFen?: number;
                            /** @description in 10^-2 元 */
                            paidFen?: number;
                            /** @description in 10^-2 元 */
                            leftFen?: number;
                            /** @description in 10^-2 元 */
                            notesFen?: number;
                            /** Format: wire-date-time */
                            lateSince: string;
                            need: string;
                            state: string;
                            version: number;
                            createUser: string;
                            createUserName: string;
                            createDept: string;
                            /** Format: wire-date-time */
                            createTime: string;
                            updateUser: string;
                            updateUserName: string;
                            /** Format: wire-date-time */
                            updateTime: string;
                            status: number;
                            isDeleted: number;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    farm_page: {
        parameters: {
            query?: {
                current?: number;
                size?: number;
                ascs?: string;
                descs?: string;
                keyword?: string;
                ids?: string;
                updateTime_ge?: string;
                updateTime_le?: string;
                code?: string;
                code_equal?: string;
                name?: string;
                name_equal?: string;
                type?: string;
                type_equal?: string;
                alarms_ge?: string;
                alarms_le?: string;
                alarms_equal?: string;
                heads_ge?: string;
                heads_le?: string;
                heads_equal?: string;
                units_ge?: string;
                units_le?: string;
                units_equal?: string;
                status?: string;
                status_equal?: string;
                principal?: string;
                principal_equal?: string;
                regionCode?: string;
                regionCode_equal?: string;
                address?: string;
                address_equal?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            records: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                tenantId: string;
                                code: string;
                                name: string;
                                type: string;
                                alarms?: number;
                                heads?: number;
                                units?: number;
                                status: string;
                                sort?: number;
                                principal: string;
                                contactPhone: string;
                                regionCode: string;
                                address: string;
                                /** @description in 10^-6 ° */
                                latitude?: number;
                                /** @description in 10^-6 ° */
                                longitude?: number;
                                areaSquareMeters?: number;
                                version: number;
                                createUser: string;
                                createUserName: string;
                                createDept: string;
                                /** Format: wire-date-time */
                                createTime: string;
                                updateUser: string;
                                updateUserName: string;
                                /** Format: wire-date-time */
                                updateTime: string;
                                isDeleted: number;
                            }[];
                            total: number;
                            size: number;
                            current: number;
                            pages: number;
                            orders: string[];
                            searchCount: boolean;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    farm_detail: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            tenantId: string;
                            code: string;
                            name: string;
                            type: string;
                            alarms?: number;
                            heads?: number;
                            units?: number;
                            status: string;
                            sort?: number;
                            principal: string;
                            contactPhone: string;
                            regionCode: string;
                            address: string;
                            /** @description in 10^-6 ° */
                            latitude?: number;
                            /** @description in 10^-6 ° */
                            longitude?: number;
                            areaSquareMeters?: number;
                            version: number;
                            createUser: string;
                            createUserName: string;
                            createDept: string;
                            /** Format: wire-date-time */
                            createTime: string;
                            updateUser: string;
                            updateUserName: string;
                            /** Format: wire-date-time */
                            updateTime: string;
                            isDeleted: number;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    pig_house_page: {
        parameters: {
            query?: {
                current?: number;
                size?: number;
                ascs?: string;
                descs?: string;
                keyword?: string;
                ids?: string;
                updateTime_ge?: string;
                updateTime_le?: string;
                code?: string;
                code_equal?: string;
                name?: string;
                name_equal?: string;
                farmId?: string;
                farmId_equal?: string;
                pigstyType?: string;
                pigstyType_equal?: string;
                alarms_ge?: string;
                alarms_le?: string;
                alarms_equal?: string;
                heads_ge?: string;
                heads_le?: string;
                heads_equal?: string;
                units_ge?: string;
                units_le?: string;
                units_equal?: string;
                capacity_ge?: string;
                capacity_le?: string;
                capacity_equal?: string;
                floor_ge?: string;
                floor_le?: string;
                floor_equal?: string;
                status?: string;
                status_equal?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            records: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                tenantId: string;
                                code: string;
                                name: string;
                                farmId: string;
                                farmName: string;
                                pigstyType: string;
                                alarms?: number;
                                heads?: number;
                                units?: number;
                                capacity?: number;
                                floor?: number;
                                status: string;
                                sort?: number;
                                version: number;
                                createUser: string;
                                createUserName: string;
                                createDept: string;
                                /** Format: wire-date-time */
                                createTime: string;
                                updateUser: string;
                                updateUserName: string;
                                /** Format: wire-date-time */
                                updateTime: string;
                                isDeleted: number;
                            }[];
                            total: number;
                            size: number;
                            current: number;
                            pages: number;
                            orders: string[];
                            searchCount: boolean;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    pig_house_detail: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            tenantId: string;
                            code: string;
                            name: string;
                            farmId: string;
                            farmName: string;
                            pigstyType: string;
                            alarms?: number;
                            heads?: number;
                            units?: number;
                            capacity?: number;
                            floor?: number;
                            status: string;
                            sort?: number;
                            version: number;
                            createUser: string;
                            createUserName: string;
                            createDept: string;
                            /** Format: wire-date-time */
                            createTime: string;
                            updateUser: string;
                            updateUserName: string;
                            /** Format: wire-date-time */
                            updateTime: string;
                            isDeleted: number;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    unit_page: {
        parameters: {
            query?: {
                current?: number;
                size?: number;
                ascs?: string;
                descs?: string;
                keyword?: string;
                ids?: string;
                updateTime_ge?: string;
                updateTime_le?: string;
                code?: string;
                code_equal?: string;
                name?: string;
                name_equal?: string;
                houseId?: string;
                houseId_equal?: string;
                farmName?: string;
                farmName_equal?: string;
                alarms_ge?: string;
                alarms_le?: string;
                alarms_equal?: string;
                pigstyType?: string;
                pigstyType_equal?: string;
                category?: string;
                category_equal?: string;
                status?: string;
                status_equal?: string;
                capacity_ge?: string;
                capacity_le?: string;
                capacity_equal?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            records: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                tenantId: string;
                                code: string;
                                name: string;
                                houseId: string;
                                houseName: string;
                                farmName: string;
                                alarms?: number;
                                pigstyType: string;
                                category: string;
                                status: string;
                                sort?: number;
                                capacity?: number;
                                areaSquareMeters?: number;
                                volumeCubicMeters?: number;
                                /** Format: wire-date */
                                batchArrivedOn: string;
                                batchArrivalAgeDays?: number;
                                /** @description in 10^-3 kg */
                                averageWeightGrams?: number;
                                headCount?: number;
                                mode: string;
                                version: number;
                                createUser: string;
                                createUserName: string;
                                createDept: string;
                                /** Format: wire-date-time */
                                createTime: string;
                                updateUser: string;
                                updateUserName: string;
                                /** Format: wire-date-time */
                                updateTime: string;
                                isDeleted: number;
                            }[];
                            total: number;
                            size: number;
                            current: number;
                            pages: number;
                            orders: string[];
                            searchCount: boolean;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    unit_detail: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            /** @description snowflake id as a decimal string */
                            id: string;
                            tenantId: string;
                            code: string;
                            name: string;
                            houseId: string;
                            houseName: string;
                            farmName: string;
                            alarms?: number;
                            pigstyType: string;
                            category: string;
                            status: string;
                            sort?: number;
                            capacity?: number;
                            areaSquareMeters?: number;
                            volumeCubicMeters?: number;
                            /** Format: wire-date */
                            batchArrivedOn: string;
                            batchArrivalAgeDays?: number;
                            /** @description in 10^-3 kg */
                            averageWeightGrams?: number;
                            headCount?: number;
                            mode: string;
                            version: number;
                            createUser: string;
                            createUserName: string;
                            createDept: string;
                            /** Format: wire-date-time */
                            createTime: string;
                            updateUser: string;
                            updateUserName: string;
                            /** Format: wire-date-time */
                            updateTime: string;
                            isDeleted: number;
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    declaration_steps: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            state: string;
                            /** @description sent back with an event */
                            version: number;
                            /** @description events that are allowed now */
                            may: string[];
                            held: {
                                event: string;
                                /** @description Chinese, with placeholders */
                                text: string;
                                values: {
                                    [key: string]: string | number;
                                };
                            }[];
                            lines: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                /** @description Chinese name of the row that belongs to this one; "" for this one itself */
                                thing: string;
                                /** @description snowflake id as a decimal string */
                                rowId: string;
                                /** @description `begin` for the first one */
                                event: string;
                                /** @description what happened, Chinese */
                                text: string;
                                party: string;
                                /** @description Chinese name of a party without an account; "" for others */
                                partyName: string;
                                /** @description afterwards */
                                state: string;
                                /** @description "" for the clock */
                                actorName: string;
                                /** @description what the event was asked, by field */
                                words: {
                                    [key: string]: unknown;
                                };
                                /** Format: wire-date-time */
                                createTime: string;
                            }[];
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    sale_order_steps: {
        parameters: {
            query: {
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        success: boolean;
                        data: {
                            state: string;
                            /** @description sent back with an event */
                            version: number;
                            /** @description events that are allowed now */
                            may: string[];
                            held: {
                                event: string;
                                /** @description Chinese, with placeholders */
                                text: string;
                                values: {
                                    [key: string]: string | number;
                                };
                            }[];
                            lines: {
                                /** @description snowflake id as a decimal string */
                                id: string;
                                /** @description Chinese name of the row that belongs to this one; "" for this one itself */
                                thing: string;
                                /** @description snowflake id as a decimal string */
                                rowId: string;
                                /** @description `begin` for the first one */
                                event: string;
                                /** @description what happened, Chinese */
                                text: string;
                                party: string;
                                /** @description Chinese name of a party without an account; "" for others */
                                partyName: string;
                                /** @description afterwards */
                                state: string;
                                /** @description "" for the clock */
                                actorName: string;
                                /** @description what the event was asked, by field */
                                words: {
                                    [key: string]: unknown;
                                };
                                /** Format: wire-date-time */
                                createTime: string;
                            }[];
                        };
                        msg: string;
                    };
                };
            };
            /** @description a parameter or business rule; msg says what to change */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no valid session */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the session may not do this; data.reason says whether a permission or a fresh password is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description no such row, or one that the session does not reach */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description the own password has to be changed first */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too often; Retry-After says when to ask again, in seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
