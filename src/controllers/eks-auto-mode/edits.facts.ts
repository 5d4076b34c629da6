import { type EditFact, unknown } from '../../contract/edit';

/** The controller is closed source, and its documentation names annotations without saying what an edit does. */
export const EKS_EDIT: EditFact = unknown('the controller is closed source, and its documentation does not say');
