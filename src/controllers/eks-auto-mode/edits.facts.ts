import { editFrom, unknown } from '../../contract/edit';
import { EKS_CATALOGUE } from './annotations';

/** The controller is closed source, and its documentation names annotations without saying what an edit does. */
const UNSAID = unknown('the controller is closed source, and its documentation does not say');

/** What an edit of an annotation does to a live balancer. */
export const EKS_ANNOTATION_EDITS = new Map(
  EKS_CATALOGUE.annotations.map(({ fact }) => [fact.key, editFrom(UNSAID, fact.source)]),
);
