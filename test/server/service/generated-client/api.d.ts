export interface paths {
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchange client credentials for an access token */
        post: operations["issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscribers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List subscribers with filters, an order and pages */
        get: operations["listSubscribers"];
        put?: never;
        /** Create a subscriber */
        post: operations["createSubscriber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscribers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a subscriber by its id */
        get: operations["getSubscriber"];
        /** Update a subscriber */
        put: operations["updateSubscriber"];
        post?: never;
        /** Delete a subscriber; answers it as it last was */
        delete: operations["deleteSubscriber"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscribers/by-token/{accessToken}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a subscriber by its access token */
        get: operations["getSubscriberByToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscribers/{id}/regenerate-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the access token of a subscriber; the old one finds nothing from then on */
        post: operations["regenerateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriber-statuses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the subscriber statuses */
        get: operations["listStatuses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        CreateBody: {
            /** @description Unique without regard to case. Trimmed; no control characters. */
            username: string;
            /**
             * Format: email
             * @description A mailbox address with a domain. Trimmed.
             */
            email: string;
            /**
             * Format: date-time
             * @description With a zone; kept and answered in UTC. Expired from that very moment.
             */
            expiresAt: string;
            /** @default 1 */
            maxConnections?: number;
            /** @default false */
            isTrial?: boolean;
            /**
             * @description Line breaks are kept.
             * @default
             */
            note?: string;
            /** @default true */
            hls?: boolean;
            /** @default true */
            mpegTs?: boolean;
            /** @default [] */
            bundles?: number[];
            /**
             * @description IPv4 or IPv6 addresses or CIDR ranges, each once however it is written.
             * @default []
             */
            ipAddresses?: string[];
            /**
             * @description Without line breaks or control characters.
             * @default []
             */
            userAgents?: string[];
            /**
             * @description ISO 3166-1 alpha-2 codes.
             * @default []
             */
            countries?: string[];
        };
        UpdateBody: {
            /** @description Unique without regard to case. Trimmed; no control characters. */
            username?: string;
            /**
             * Format: email
             * @description A mailbox address with a domain. Trimmed.
             */
            email?: string;
            /**
             * Format: date-time
             * @description With a zone; kept and answered in UTC. Expired from that very moment.
             */
            expiresAt?: string;
            maxConnections?: number;
            isTrial?: boolean;
            /** @description Line breaks are kept. */
            note?: string;
            hls?: boolean;
            mpegTs?: boolean;
            bundles?: number[];
            /** @description IPv4 or IPv6 addresses or CIDR ranges, each once however it is written. */
            ipAddresses?: string[];
            /** @description Without line breaks or control characters. */
            userAgents?: string[];
            /** @description ISO 3166-1 alpha-2 codes. */
            countries?: string[];
        };
        TokenRequest: {
            grant_type?: string;
            client_id?: string;
            client_secret?: string;
            scope?: string;
        };
        Subscriber: {
            id: number;
            /** @description 32 random bytes as base64url. Anyone who has it can watch. */
            accessToken: string;
            /** @description Unique without regard to case. Trimmed; no control characters. */
            username: string;
            /** @description A mailbox address with a domain. Trimmed. */
            email: string;
            /** @description With a zone; kept and answered in UTC. Expired from that very moment. */
            expiresAt: string;
            maxConnections: number;
            isTrial: boolean;
            /** @description Line breaks are kept. */
            note: string;
            /** @description See listStatuses. */
            status: number;
            hls: boolean;
            mpegTs: boolean;
        };
        SubscriberDetail: {
            id: number;
            /** @description 32 random bytes as base64url. Anyone who has it can watch. */
            accessToken: string;
            /** @description Unique without regard to case. Trimmed; no control characters. */
            username: string;
            /** @description A mailbox address with a domain. Trimmed. */
            email: string;
            /** @description With a zone; kept and answered in UTC. Expired from that very moment. */
            expiresAt: string;
            maxConnections: number;
            isTrial: boolean;
            /** @description Line breaks are kept. */
            note: string;
            /** @description See listStatuses. */
            status: number;
            hls: boolean;
            mpegTs: boolean;
            bundles: number[];
            /** @description IPv4 or IPv6 addresses or CIDR ranges, each once however it is written. */
            ipAddresses: string[];
            /** @description Without line breaks or control characters. */
            userAgents: string[];
            /** @description ISO 3166-1 alpha-2 codes. */
            countries: string[];
        };
        SubscriberWithLists: {
            id: number;
            /** @description 32 random bytes as base64url. Anyone who has it can watch. */
            accessToken: string;
            /** @description Unique without regard to case. Trimmed; no control characters. */
            username: string;
            /** @description A mailbox address with a domain. Trimmed. */
            email: string;
            /** @description With a zone; kept and answered in UTC. Expired from that very moment. */
            expiresAt: string;
            maxConnections: number;
            isTrial: boolean;
            /** @description Line breaks are kept. */
            note: string;
            /** @description See listStatuses. */
            status: number;
            hls: boolean;
            mpegTs: boolean;
            bundles?: number[];
            /** @description IPv4 or IPv6 addresses or CIDR ranges, each once however it is written. */
            ipAddresses?: string[];
            /** @description Without line breaks or control characters. */
            userAgents?: string[];
            /** @description ISO 3166-1 alpha-2 codes. */
            countries?: string[];
        };
        SubscriberPage: {
            items: components["schemas"]["Subscriber"][];
            page: number;
            pageSize: number;
            totalCount: number;
            totalPages: number;
        };
        Status: {
            id: number;
            name: string;
        };
        StatusList: components["schemas"]["Status"][];
        TokenAnswer: {
            access_token: string;
            token_type: string;
            expires_in?: number;
            scope?: string;
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            requestId: string;
            errors?: {
                [key: string]: string[];
            };
            current?: components["schemas"]["SubscriberDetail"];
            changedBy?: {
                name: string;
                at: string;
            } | null;
            conflicts?: {
                field: string;
                by: {
                    name: string;
                } | null;
                at: string | null;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    issueToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grant_type": "client_credentials",
                 *       "scope": "subscribers:read"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJ…",
                     *       "token_type": "Bearer",
                     *       "expires_in": 3600,
                     *       "scope": "subscribers:read"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenAnswer"];
                };
            };
            /** @description invalid_scope */
            400: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        error: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope";
                        error_description?: string;
                    };
                };
            };
            /** @description invalid_client, unsupported_grant_type */
            401: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description How to get in (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        error: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope";
                        error_description?: string;
                    };
                };
            };
            /** @description invalid_request */
            404: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        error: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope";
                        error_description?: string;
                    };
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        error: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope";
                        error_description?: string;
                    };
                };
            };
        };
    };
    listSubscribers: {
        parameters: {
            query?: {
                /** @description Those whose username contains this, without regard to case. */
                Username?: string;
                /** @description Those whose email address contains this, without regard to case. */
                Email?: string;
                /** @description The one with just this access token. */
                AccessToken?: string;
                /** @description Those of this status; see listStatuses. */
                StatusId?: number;
                /** @description true: those whose expiry is not in the future. false restricts nothing. */
                Expired?: boolean;
                /** @description Those that are trials, or those that are none. */
                IsTrial?: boolean;
                /** @description One of username, username_desc, expiresAt, expiresAt_desc; by id without it. Ties are broken by id. */
                SortBy?: "username" | "username_desc" | "expiresAt" | "expiresAt_desc";
                /** @description Counted from 1. Past the last page items are empty, which is no error. */
                Page?: number;
                /** @description How many subscribers a page holds. */
                PageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": 12,
                     *           "accessToken": "ThisIsMadeUpAndOpensNothingAnywhere_0123456",
                     *           "username": "Ørjan.Åsen",
                     *           "email": "orjan@example.com",
                     *           "expiresAt": "2026-12-31T22:00:00.000Z",
                     *           "maxConnections": 2,
                     *           "isTrial": false,
                     *           "note": "",
                     *           "hls": true,
                     *           "mpegTs": true,
                     *           "status": 1
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "pageSize": 25,
                     *       "totalCount": 1,
                     *       "totalPages": 1
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriberPage"];
                };
            };
            /** @description The access token is missing, wrong or expired */
            401: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description How to get in (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The access token does not allow this */
            403: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description How to get in (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Some of the input cannot be used */
            422: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Any other error */
            default: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSubscriber: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send a change again: with the same key it is done once, and answered the same for a day. With another change the key is refused with 422. A change that was refused may be sent again with its key. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "Ørjan.Åsen",
                 *       "email": "orjan@example.com",
                 *       "expiresAt": "2026-12-31T22:00:00.000Z",
                 *       "maxConnections": 2,
                 *       "isTrial": false,
                 *       "note": "",
                 *       "hls": true,
                 *       "mpegTs": true,
                 *       "bundles": [
                 *         3,
                 *         17
                 *       ],
                 *       "ipAddresses": [
                 *         "203.0.113.7",
                 *         "2001:db8::/32"
                 *       ],
                 *       "userAgents": [
                 *         "ExamplePlayer/3.0"
                 *       ],
                 *       "countries": [
                 *         "NO",
                 *         "SE"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description The version of the record. */
                    ETag?: string;
                    /** @description true where the change had been done before, with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 12,
                     *       "accessToken": "ThisIsMadeUpAndOpensNothingAnywhere_0123456",
                     *       "username": "Ørjan.Åsen",
                     *       "email": "orjan@example.com",
                     *       "expiresAt": "2026-12-31T22:00:00.000Z",
                     *       "maxConnections": 2,
                     *       "isTrial": false,
                     *       "note": "",
                     *       "hls": true,
                     *       "mpegTs": true,
                     *       "status": 1,
                     *       "bundles": [
                     *         3,
                     *         17
                     *       ],
                     *       "ipAddresses": [
                     *         "203.0.113.7",
                     *         "2001:db8::/32"
                     *       ],
                     *       "userAgents": [
                     *         "ExamplePlayer/3.0"
                     *       ],
                     *       "countries": [
                     *         "NO",
                     *         "SE"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriberDetail"];
                };
            };
            /** @description The access token is missing, wrong or expired */
            401: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description How to get in (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The access token does not allow this */
            403: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description How to get in (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Some of the input cannot be used */
            422: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is not known whether the change was done */
            503: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Any other error */
            default: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSubscriber: {
        parameters: {
            query?: {
                /** @description Lists to answer as well: bundles, ipAddresses, userAgents, countries. May be repeated. */
                include?: ("bundles" | "ipAddresses" | "userAgents" | "countries")[];
            };
            header?: never;
            path: {
                /** @description The id of a subscriber. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description The version of the record. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 12,
                     *       "accessToken": "ThisIsMadeUpAndOpensNothingAnywhere_0123456",
                     *       "username": "Ørjan.Åsen",
                     *       "email": "orjan@example.com",
                     *       "expiresAt": "2026-12-31T22:00:00.000Z",
                     *       "maxConnections": 2,
                     *       "isTrial": false,
                     *       "note": "",
                     *       "hls": true,
                     *       "mpegTs": true,
                     *       "status": 1,
                     *       "bundles": [
                     *         3,
                     *         17
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriberWithLists"];
                };
            };
            /** @description The access token is missing, wrong or expired */
            401: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description How to get in (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The access token does not allow this */
            403: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description How to get in (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such subscriber */
            404: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Some of the input cannot be used */
            422: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Any other error */
            default: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateSubscriber: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the versions that may be changed. If none of them is current: 412, and no change. */
                "If-Match"?: string;
                /** @description Makes it safe to send a change again: with the same key it is done once, and answered the same for a day. With another change the key is refused with 422. A change that was refused may be sent again with its key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a subscriber. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "Asked for a longer trial."
                 *     }
                 */
                "application/json": components["schemas"]["UpdateBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description The version of the record. */
                    ETag?: string;
                    /** @description true where the change had been done before, with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 12,
                     *       "accessToken": "ThisIsMadeUpAndOpensNothingAnywhere_0123456",
                     *       "username": "Ørjan.Åsen",
                     *       "email": "orjan@example.com",
                     *       "expiresAt": "2026-12-31T22:00:00.000Z",
                     *       "maxConnections": 2,
                     *       "isTrial": false,
                     *       "note": "",
                     *       "hls": true,
                     *       "mpegTs": true,
                     *       "status": 1,
                     *       "bundles": [
                     *         3,
                     *         17
                     *       ],
                     *       "ipAddresses": [
                     *         "203.0.113.7",
                     *         "2001:db8::/32"
                     *       ],
                     *       "userAgents": [
                     *         "ExamplePlayer/3.0"
                     *       ],
                     *       "countries": [
                     *         "NO",
                     *         "SE"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriberDetail"];
                };
            };
            /** @description The access token is missing, wrong or expired */
            401: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description How to get in (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The access token does not allow this */
            403: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description How to get in (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such subscriber */
            404: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Somebody changed it meanwhile */
            412: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Some of the input cannot be used */
            422: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is not known whether the change was done */
            503: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Any other error */
            default: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSubscriber: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the versions that may be changed. If none of them is current: 412, and no change. */
                "If-Match"?: string;
                /** @description Makes it safe to send a change again: with the same key it is done once, and answered the same for a day. With another change the key is refused with 422. A change that was refused may be sent again with its key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a subscriber. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description The version of the record. */
                    ETag?: string;
                    /** @description true where the change had been done before, with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 12,
                     *       "accessToken": "ThisIsMadeUpAndOpensNothingAnywhere_0123456",
                     *       "username": "Ørjan.Åsen",
                     *       "email": "orjan@example.com",
                     *       "expiresAt": "2026-12-31T22:00:00.000Z",
                     *       "maxConnections": 2,
                     *       "isTrial": false,
                     *       "note": "",
                     *       "hls": true,
                     *       "mpegTs": true,
                     *       "status": 1,
                     *       "bundles": [
                     *         3,
                     *         17
                     *       ],
                     *       "ipAddresses": [
                     *         "203.0.113.7",
                     *         "2001:db8::/32"
                     *       ],
                     *       "userAgents": [
                     *         "ExamplePlayer/3.0"
                     *       ],
                     *       "countries": [
                     *         "NO",
                     *         "SE"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriberDetail"];
                };
            };
            /** @description The access token is missing, wrong or expired */
            401: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description How to get in (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The access token does not allow this */
            403: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description How to get in (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such subscriber */
            404: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Somebody changed it meanwhile */
            412: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Some of the input cannot be used */
            422: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is not known whether the change was done */
            503: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Any other error */
            default: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSubscriberByToken: {
        parameters: {
            query?: {
                /** @description Lists to answer as well: bundles, ipAddresses, userAgents, countries. May be repeated. */
                include?: ("bundles" | "ipAddresses" | "userAgents" | "countries")[];
            };
            header?: never;
            path: {
                /** @description The access token of a subscriber, to the letter. */
                accessToken: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description The version of the record. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 12,
                     *       "accessToken": "ThisIsMadeUpAndOpensNothingAnywhere_0123456",
                     *       "username": "Ørjan.Åsen",
                     *       "email": "orjan@example.com",
                     *       "expiresAt": "2026-12-31T22:00:00.000Z",
                     *       "maxConnections": 2,
                     *       "isTrial": false,
                     *       "note": "",
                     *       "hls": true,
                     *       "mpegTs": true,
                     *       "status": 1
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriberWithLists"];
                };
            };
            /** @description The access token is missing, wrong or expired */
            401: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description How to get in (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The access token does not allow this */
            403: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description How to get in (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such subscriber */
            404: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Some of the input cannot be used */
            422: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Any other error */
            default: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    regenerateToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the versions that may be changed. If none of them is current: 412, and no change. */
                "If-Match"?: string;
                /** @description Makes it safe to send a change again: with the same key it is done once, and answered the same for a day. With another change the key is refused with 422. A change that was refused may be sent again with its key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of a subscriber. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description The version of the record. */
                    ETag?: string;
                    /** @description true where the change had been done before, with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 12,
                     *       "accessToken": "ThisIsMadeUpAndOpensNothingAnywhere_0123456",
                     *       "username": "Ørjan.Åsen",
                     *       "email": "orjan@example.com",
                     *       "expiresAt": "2026-12-31T22:00:00.000Z",
                     *       "maxConnections": 2,
                     *       "isTrial": false,
                     *       "note": "",
                     *       "hls": true,
                     *       "mpegTs": true,
                     *       "status": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Subscriber"];
                };
            };
            /** @description The access token is missing, wrong or expired */
            401: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description How to get in (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The access token does not allow this */
            403: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description How to get in (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such subscriber */
            404: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Somebody changed it meanwhile */
            412: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Some of the input cannot be used */
            422: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is not known whether the change was done */
            503: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Any other error */
            default: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listStatuses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "name": "Active"
                     *       },
                     *       {
                     *         "id": 2,
                     *         "name": "Suspended"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["StatusList"];
                };
            };
            /** @description The access token is missing, wrong or expired */
            401: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description How to get in (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The access token does not allow this */
            403: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    /** @description How to get in (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Any other error */
            default: {
                headers: {
                    /** @description The id of the request, the caller’s own where it sent one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
