import { useTranslation } from 'react-i18next';

/** Groups of names whose keys the server sends: it may know more of them than this build does. */
export type NameGroup =
  | 'areas'
  | 'roles'
  | 'titles'
  | 'collectionStatus'
  | 'payoutStatus'
  | 'consequences.collection'
  | 'consequences.payout'
  | 'orderMark'
  | 'actions'
  | 'events'
  | 'actors'
  | 'auditActions'
  | 'ipDoors'
  | 'nameMarks'
  | 'hitPlaces'
  | 'hitStates'
  | 'ipEffects'
  | 'ipSubjects'
  | 'settings'
  | 'messageStates'
  | 'chainNodeStates'
  | 'chainStates'
  | 'gapStates'
  | 'patchStates'
  | 'patchKinds'
  | 'balanceModes'
  | 'directions'
  | 'callbackKinds'
  | 'callbackStates'
  | 'buckets'
  | 'ownerKinds'
  | 'postingKinds'
  | 'approvalKinds'
  | 'alertKinds'
  | 'severities'
  | 'walletState'
  | 'approvalStatus'
  | 'approvalActions'
  | 'approvalFields'
  | 'verdicts'
  | 'archiveTables'
  | 'archiveStates'
  | 'matchVerdicts'
  | 'confidences'
  | 'kyc'
  | 'batchStatus'
  | 'batchRowState'
  | 'batchOutcome'
  | 'messageRules'
  | 'ignoreReasons'
  | 'messageKinds'
  | 'messageOutcomes'
  | 'templateOrigins'
  | 'monitorPhases'
  | 'logReasons'
  | 'logEvidence'
  | 'statementOutcomes'
  | 'scriptFunctions'
  | 'scriptFailures'
  | 'entityFields'
  | 'products';

/** Name of a key the server sent; the bare key where this build has no name for it. */
export function useNames(): (group: NameGroup, key: string | number) => string {
  const { i18n } = useTranslation();
  return (group, key) =>
    i18n.exists(`${group}.${key}`)
      ? i18n.getResource(i18n.language, 'translation', `${group}.${key}`)
      : String(key);
}
