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
        /** List subscribers, filtered, sorted and in pages */
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
        /** Get a subscriber by its ID */
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
        /** Get a subscriber by its access token */
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
        /** Replace the access token of a subscriber; the old one stops working at once */
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
            /** @description Unique, ignoring case. Leading and trailing spaces are removed. No control characters. */
            username: string;
            /**
             * Format: email
             * @description An address such as name@example.com. Leading and trailing spaces are removed.
             */
            email: string;
            /**
             * Format: date-time
             * @description A date and time with a time zone; answered in UTC. The subscriber has expired from this moment on.
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
             * @description IPv4 or IPv6 addresses or CIDR ranges. No duplicates, however they are written.
             * @default []
             */
            ipAddresses?: string[];
            /**
             * @description No line breaks or control characters.
             * @default []
             */
            userAgents?: string[];
            /**
             * @description Two-letter country codes (ISO 3166-1 alpha-2) in capitals.
             * @default []
             */
            countries?: string[];
        };
        UpdateBody: {
            /** @description Unique, ignoring case. Leading and trailing spaces are removed. No control characters. */
            username?: string;
            /**
             * Format: email
             * @description An address such as name@example.com. Leading and trailing spaces are removed.
             */
            email?: string;
            /**
             * Format: date-time
             * @description A date and time with a time zone; answered in UTC. The subscriber has expired from this moment on.
             */
            expiresAt?: string;
            maxConnections?: number;
            isTrial?: boolean;
            /** @description Line breaks are kept. */
            note?: string;
            hls?: boolean;
            mpegTs?: boolean;
            bundles?: number[];
            /** @description IPv4 or IPv6 addresses or CIDR ranges. No duplicates, however they are written. */
            ipAddresses?: string[];
            /** @description No line breaks or control characters. */
            userAgents?: string[];
            /** @description Two-letter country codes (ISO 3166-1 alpha-2) in capitals. */
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
            /** @description 32 random bytes in base64url. Anyone who has the token can watch. */
            accessToken: string;
            /** @description Unique, ignoring case. Leading and trailing spaces are removed. No control characters. */
            username: string;
            /** @description An address such as name@example.com. Leading and trailing spaces are removed. */
            email: string;
            /** @description A date and time with a time zone; answered in UTC. The subscriber has expired from this moment on. */
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
            /** @description 32 random bytes in base64url. Anyone who has the token can watch. */
            accessToken: string;
            /** @description Unique, ignoring case. Leading and trailing spaces are removed. No control characters. */
            username: string;
            /** @description An address such as name@example.com. Leading and trailing spaces are removed. */
            email: string;
            /** @description A date and time with a time zone; answered in UTC. The subscriber has expired from this moment on. */
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
            /** @description IPv4 or IPv6 addresses or CIDR ranges. No duplicates, however they are written. */
            ipAddresses: string[];
            /** @description No line breaks or control characters. */
            userAgents: string[];
            /** @description Two-letter country codes (ISO 3166-1 alpha-2) in capitals. */
            countries: string[];
        };
        SubscriberWithLists: {
            id: number;
            /** @description 32 random bytes in base64url. Anyone who has the token can watch. */
            accessToken: string;
            /** @description Unique, ignoring case. Leading and trailing spaces are removed. No control characters. */
            username: string;
            /** @description An address such as name@example.com. Leading and trailing spaces are removed. */
            email: string;
            /** @description A date and time with a time zone; answered in UTC. The subscriber has expired from this moment on. */
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
            /** @description IPv4 or IPv6 addresses or CIDR ranges. No duplicates, however they are written. */
            ipAddresses?: string[];
            /** @description No line breaks or control characters. */
            userAgents?: string[];
            /** @description Two-letter country codes (ISO 3166-1 alpha-2) in capitals. */
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
                singleSignOn: boolean;
                at: string;
            } | null;
            conflicts?: {
                field: string;
                by: {
                    name: string;
                    singleSignOn: boolean;
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
            /** @description Success */
            200: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description How to authenticate (RFC 6750, RFC 7617). */
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
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                /** @description Only subscribers whose username contains each word of this text. Case and accents are ignored. */
                Username?: string;
                /** @description Only subscribers whose email address contains each word of this text. Case and accents are ignored. */
                Email?: string;
                /** @description Only the subscriber with exactly this access token. */
                AccessToken?: string;
                /** @description Only subscribers with this status. See listStatuses. */
                StatusId?: number;
                /** @description true: only subscribers that have expired. false: no restriction. */
                Expired?: boolean;
                /** @description true: only trials. false: no trials. */
                IsTrial?: boolean;
                /** @description Only subscribers that expire at this moment or later. A date-time with a zone; or relative: now, 7d (in seven days), -30d (30 days ago). */
                ExpiresFrom?: string;
                /** @description Only subscribers that expire before this moment. A date-time with a zone; or relative: now, 7d (in seven days), -30d (30 days ago). */
                ExpiresTo?: string;
                /** @description Instead of Page and SortBy: the next subscribers by ID, after this one. Then totalCount counts only those in the answer, and an answer with fewer than PageSize is the last. Start with 0. */
                AfterId?: number;
                /** @description One of: username, username_desc, expiresAt, expiresAt_desc. Without it, and for equal values, sorted by id. */
                SortBy?: "username" | "username_desc" | "expiresAt" | "expiresAt_desc";
                /** @description The first page is 1. A page after the last one has no items; it is not an error. */
                Page?: number;
                /** @description Subscribers per page. */
                PageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
            /** @description The access token is missing, invalid or expired */
            401: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description How to authenticate (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The access token lacks a scope */
            403: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description How to authenticate (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Some values were not accepted */
            422: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                /** @description Makes it safe to send a change again. Requests with the same key and the same change make the change once, and get the same answer for 24 hours. The same key with another change is refused with 422. After a refusal you can use the key again. */
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
            /** @description Success */
            200: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description The version of the record, for If-Match. */
                    ETag?: string;
                    /** @description true if the change was made before, with the same key. */
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
            /** @description The access token is missing, invalid or expired */
            401: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description How to authenticate (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The access token lacks a scope */
            403: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description How to authenticate (RFC 6750, RFC 7617). */
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
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Some values were not accepted */
            422: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is unclear whether the change was made */
            503: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                /** @description Lists to add to the answer: bundles, ipAddresses, userAgents, countries. Separate several with commas, or repeat the parameter. */
                include?: ("bundles" | "ipAddresses" | "userAgents" | "countries")[];
            };
            header?: never;
            path: {
                /** @description The ID of a subscriber. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description The version of the record, for If-Match. */
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
            /** @description The access token is missing, invalid or expired */
            401: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description How to authenticate (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The access token lacks a scope */
            403: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description How to authenticate (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Subscriber not found */
            404: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Some values were not accepted */
            422: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                /** @description ETags of the versions that may be changed. If the current version is not among them, nothing is changed and the answer is 412. */
                "If-Match"?: string;
                /** @description Makes it safe to send a change again. Requests with the same key and the same change make the change once, and get the same answer for 24 hours. The same key with another change is refused with 422. After a refusal you can use the key again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The ID of a subscriber. */
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
            /** @description Success */
            200: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description The version of the record, for If-Match. */
                    ETag?: string;
                    /** @description true if the change was made before, with the same key. */
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
            /** @description The access token is missing, invalid or expired */
            401: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description How to authenticate (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The access token lacks a scope */
            403: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description How to authenticate (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Subscriber not found */
            404: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Someone else changed it first */
            412: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Some values were not accepted */
            422: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is unclear whether the change was made */
            503: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                /** @description ETags of the versions that may be changed. If the current version is not among them, nothing is changed and the answer is 412. */
                "If-Match"?: string;
                /** @description Makes it safe to send a change again. Requests with the same key and the same change make the change once, and get the same answer for 24 hours. The same key with another change is refused with 422. After a refusal you can use the key again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The ID of a subscriber. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description The version of the record, for If-Match. */
                    ETag?: string;
                    /** @description true if the change was made before, with the same key. */
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
            /** @description The access token is missing, invalid or expired */
            401: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description How to authenticate (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The access token lacks a scope */
            403: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description How to authenticate (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Subscriber not found */
            404: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Someone else changed it first */
            412: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Some values were not accepted */
            422: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is unclear whether the change was made */
            503: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                /** @description Lists to add to the answer: bundles, ipAddresses, userAgents, countries. Separate several with commas, or repeat the parameter. */
                include?: ("bundles" | "ipAddresses" | "userAgents" | "countries")[];
            };
            header?: never;
            path: {
                /** @description The access token of a subscriber. Case matters. */
                accessToken: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description The version of the record, for If-Match. */
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
            /** @description The access token is missing, invalid or expired */
            401: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description How to authenticate (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The access token lacks a scope */
            403: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description How to authenticate (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Subscriber not found */
            404: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Some values were not accepted */
            422: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                /** @description ETags of the versions that may be changed. If the current version is not among them, nothing is changed and the answer is 412. */
                "If-Match"?: string;
                /** @description Makes it safe to send a change again. Requests with the same key and the same change make the change once, and get the same answer for 24 hours. The same key with another change is refused with 422. After a refusal you can use the key again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The ID of a subscriber. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description The version of the record, for If-Match. */
                    ETag?: string;
                    /** @description true if the change was made before, with the same key. */
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
            /** @description The access token is missing, invalid or expired */
            401: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description How to authenticate (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The access token lacks a scope */
            403: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description How to authenticate (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Subscriber not found */
            404: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Someone else changed it first */
            412: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Some values were not accepted */
            422: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is unclear whether the change was made */
            503: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
            /** @description Success */
            200: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
            /** @description The access token is missing, invalid or expired */
            401: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description How to authenticate (RFC 6750, RFC 7617). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The access token lacks a scope */
            403: {
                headers: {
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
                    "X-Request-Id"?: string;
                    /** @description How to authenticate (RFC 6750, RFC 7617). */
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
                    /** @description The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _. */
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
