/**
 * One call of an outbound tool to the one service that the owner configured (§2.3): its address is judged again, its key
 * goes into one header, and what comes back is read through the counted reader. The visitor's words are in the body and
 * nowhere else. A failure is logged once, without the key, and is a kind to the tool: no text of a service gets further.
 */
import { checkProviderUrl, type ProviderFamily } from "../../../../shared/hosts";
import { LIMITS } from "../../../../shared/limits";
import { type KernelLog, ToolFailure } from "../../kernel/kernel-types";
import { guardedFetch, OutboundError } from "../../lib/outbound";
import { safeErrorText } from "../../lib/safe-error";

/** A service as its row describes it, with the hosts that its family may be on besides its own. */
export interface Service {
  baseUrl: string;
  apiKey: string;
  modelId: string;
  totalTimeoutMs: number;
  /** Between two pieces of an answer. */
  idleTimeoutMs: number;
  extraHosts: readonly string[];
}

export type ServiceFault =
  | "not_allowed_host"
  | "http_error"
  | "upstream_failed"
  | "oversize"
  | "empty"
  | "not_a_picture"
  | "address_instead_of_picture";

/** A service that answered, but not with what was asked for. It was logged where it was made. */
export class ServiceFailure extends Error {
  override name = "ServiceFailure";
  constructor(readonly fault: ServiceFault) {
    super(`the service failed: ${fault}`);
  }
}

export interface ServiceCall {
  service: Service;
  family: ProviderFamily;
  /** Name of the tool, for the log. */
  tool: string;
  signal: AbortSignal;
  log: KernelLog;
}

export interface ServiceRequest {
  /** Below `/v1`, with its slash. */
  path: string;
  body: Record<string, unknown>;
  maxBytes: number;
  /** The service is silent while it works: only the total time bounds the wait for its head. */
  slowHead?: boolean;
}

/** The answer's head, 2xx, with a body still to be read. Rejects with `ServiceFailure`, `OutboundError` or the signal's reason. */
export async function postJson(call: ServiceCall, request: ServiceRequest): Promise<Response> {
  const { service, family, tool, signal, log } = call;
  const address = checkProviderUrl(service.baseUrl, family, service.extraHosts);
  if (!address.ok) throw failed(call, "not_allowed_host", address.reason);
  const send = guardedFetch({
    origin: new URL(address.url).origin,
    headers: ["authorization", "content-type"],
    idleMs: service.idleTimeoutMs,
    totalMs: service.totalTimeoutMs,
    slowHead: request.slowHead,
    maxBytes: request.maxBytes,
    maxSseLineChars: request.maxBytes,
    errorBytes: LIMITS.providerErrorBytes,
    secrets: [service.apiKey],
    onFailure: (line) => log.error("an outbound call failed", line, { tool }),
  });
  const response = await send(`${address.url}${address.url.endsWith("/v1") ? "" : "/v1"}${request.path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(request.body),
    signal,
  });
  // What an error answer said has been logged.
  if (!response.ok) throw new ServiceFailure("http_error");
  return response;
}

/** Makes a failure and logs its cause, whoever worded that, without the key of the call. */
export function failed(
  { service, tool, log }: ServiceCall,
  fault: ServiceFault,
  cause: unknown = fault,
): ServiceFailure {
  log.error("an outbound call failed", `${fault}: ${safeErrorText(cause, [service.apiKey])}`, { tool });
  return new ServiceFailure(fault);
}

/** What the model reads of a failed call: one of two sentences. An abort and what nobody foresaw stay what they are. */
export function toolFailure(error: unknown, sentences: { failed: string; late: string }): unknown {
  if (error instanceof OutboundError) {
    return new ToolFailure(["idle", "total"].includes(error.failure) ? sentences.late : sentences.failed);
  }
  return error instanceof ServiceFailure ? new ToolFailure(sentences.failed) : error;
}
