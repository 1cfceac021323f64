import type { endpoints } from 'virtual:endpoints';
import type { OutputOf, RowOf } from '../http/call-types.ts';

export type NodesCall = typeof endpoints.chain.getSecurityNodeList;
export type GapsCall = typeof endpoints.chain.getSecurityPatchList;
export type ChainNode = RowOf<NodesCall>;
export type Gap = RowOf<GapsCall>;
export type Chain = OutputOf<typeof endpoints.chain.getChain>;
