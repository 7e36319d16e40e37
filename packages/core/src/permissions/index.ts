export { type ChosenPermission, choosePermission, refusePermission } from './choose-permission.js';
export {
  decidePermissionRequest,
  type PermissionPlace,
  type PermissionRequest,
  type PermissionRules,
  type PermissionVerdict,
} from './decide-permission-request.js';
