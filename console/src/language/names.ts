import { useTranslation } from 'react-i18next';

/** Groups of names for keys that the server sends. A newer server may send keys that this build has no name for. */
export type NameGroup =
  | 'areas'
  | 'roles'
  | 'partyRoles'
  | 'matrixKinds'
  | 'matrixCells'
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
  | 'auditFields'
  | 'auditSubjects'
  | 'ipDoors'
  | 'nameLists'
  | 'nameMarks'
  | 'hitPlaces'
  | 'hitStates'
  | 'ipEffects'
  | 'ipSubjects'
  | 'settings'
  | 'flags'
  | 'units'
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
  | 'userChanges'
  | 'controlChanges'
  | 'requestChanges'
  | 'botScreens.bots'
  | 'personalLists'
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
  | 'products'
  | 'accountKinds'
  | 'accountDirections'
  | 'resourceStates';

export type Names = (group: NameGroup, key: string | number) => string;

/** Names a key that the server sent; the bare key where this build has no name for it. */
export function useNames(): Names {
  const { i18n } = useTranslation();
  return (group, key) =>
    i18n.exists(`${group}.${key}`)
      ? i18n.getResource(i18n.language, 'translation', `${group}.${key}`)
      : String(key);
}

export interface NamedKey {
  readonly value: string;
  readonly label: string;
}

/** Every key of a group with its name, in the order of the names. */
export function useNamedKeys(group: NameGroup): readonly NamedKey[] {
  const { i18n } = useTranslation();
  const names = i18n.getResource(i18n.language, 'translation', group) as NestedNames;
  return keysOf(names).toSorted((a, b) => a.label.localeCompare(b.label, i18n.language));
}

interface NestedNames {
  readonly [key: string]: string | NestedNames;
}

const keysOf = (names: NestedNames, before = ''): NamedKey[] =>
  Object.entries(names).flatMap(([key, name]) =>
    typeof name === 'string' ? { value: before + key, label: name } : keysOf(name, `${before}${key}.`),
  );
