// Code generated from internal/api/openapi.yaml by make generate. DO NOT EDIT.

export interface paths {
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is signed in, where, and as what */
        get: operations["GetSession"];
        put?: never;
        /**
         * Sign in with e-mail and password
         * @description Answers 401 alike for an unknown address and for a wrong password.
         */
        post: operations["SignIn"];
        /** End the present session */
        delete: operations["SignOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One's own sessions that have not ended */
        get: operations["ListSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of one's own sessions */
        delete: operations["RevokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Members of the organisation, suspended ones too
         * @description One of `team_id`, `text` and `ids` at a time.
         */
        get: operations["ListMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{member_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which member */
                member_id: components["parameters"]["MemberID"];
            };
            cookie?: never;
        };
        /** One member */
        get: operations["GetMember"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a member's role, suspend them or let them back
         * @description For admins and owners. Nobody raises anyone above their own role, only owners touch owners, nobody changes their own role upwards, and the last owner stays. Suspending ends all of the member's sessions in the same transaction.
         */
        patch: operations["UpdateMember"];
        trace?: never;
    };
    "/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Teams, archived ones too
         * @description Either those of some ids or those with some words in their names, not both.
         */
        get: operations["ListTeams"];
        put?: never;
        /**
         * Make a team
         * @description For admins and owners.
         */
        post: operations["CreateTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/teams/{team_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which team */
                team_id: components["parameters"]["TeamID"];
            };
            cookie?: never;
        };
        /** One team */
        get: operations["GetTeam"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename, describe, archive or restore a team
         * @description For the team's leads, admins and owners; archiving for admins and owners. Its objectives stay where they are.
         */
        patch: operations["UpdateTeam"];
        trace?: never;
    };
    "/teams/{team_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which team */
                team_id: components["parameters"]["TeamID"];
            };
            cookie?: never;
        };
        /** Who is in a team */
        get: operations["ListTeamMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/teams/{team_id}/members/{member_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which team */
                team_id: components["parameters"]["TeamID"];
                /** @description Which member */
                member_id: components["parameters"]["MemberID"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Put a member in a team, as its lead or not
         * @description For the team's leads, admins and owners; making leads is for admins and owners.
         */
        put: operations["PutTeamMember"];
        post?: never;
        /**
         * Take a member out of a team
         * @description For the team's leads, admins and owners; taking out leads is for admins and owners.
         */
        delete: operations["RemoveTeamMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cycles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Cycles */
        get: operations["ListCycles"];
        put?: never;
        /**
         * Make a cycle, in preparation
         * @description For admins and owners.
         */
        post: operations["CreateCycle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cycles/{cycle_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        /** One cycle */
        get: operations["GetCycle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename a cycle, move its dates, activate or close it
         * @description For admins and owners. States go preparation → active → closed and never back; the dates of a closed cycle stay. Closing is refused as `wrong-state`, with their number, while approved objectives in it have no score, unless `leave_unscored` says that this is meant.
         */
        patch: operations["UpdateCycle"];
        trace?: never;
    };
    "/objectives": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Objectives that one may see
         * @description A page looks at a bounded number of objectives, so with filters it may hold fewer than `limit`, even none, and still lead on; the list ends where `next_cursor` is absent.
         */
        get: operations["ListObjectives"];
        put?: never;
        /**
         * Draft an objective, with or without key results
         * @description For members and above, in a cycle that is not closed. Whoever drafts for somebody else leads the team or is admin or owner.
         */
        post: operations["CreateObjective"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objectives/{objective_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        /**
         * One objective with its key results, progress and health
         * @description With `as_of`, what it said then, and how it stood by the weights, targets and check-ins of then: corrections made later do not count. Nothing can be done with that, so there are no `actions`. Who may see it is decided by who may see it now; the cycle's dates are those of now.
         */
        get: operations["GetObjective"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an objective and its key results
         * @description For its owner, the leads of its team, admins and owners; while it is a draft, submitted or approved. `key_results`, if given, is the whole list in its order: entries with an `id` change that key result, those without are new, and those left out are archived with their check-ins kept.
         */
        patch: operations["UpdateObjective"];
        trace?: never;
    };
    "/objectives/{objective_id}/actions/{action}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
                /** @description What to do with it */
                action: components["schemas"]["ObjectiveAction"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit, approve, return, revise, close, reopen, archive or restore
         * @description `submit` is the owner's, `approve`, `return` (with a note), `revise` and `reopen` a reviewer's: a lead of its team, an admin or an owner. `close` takes a `score`; without one the suggested score is taken, and another one, or less than 1 for a committed objective, needs a note. Authors do not approve their own objective, unless nobody else could. What is submitted has a key result, or an objective that is not archived contributes to it.
         */
        post: operations["MoveObjective"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objectives/{objective_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        /** Every revision of an objective, newest first */
        get: operations["ListObjectiveHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objectives/{objective_id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        /** Comments on an objective */
        get: operations["ListComments"];
        put?: never;
        /**
         * Comment on an objective
         * @description For members and above who see it.
         */
        post: operations["CreateComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/key-results/{key_result_id}/check-ins": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which key result */
                key_result_id: components["parameters"]["KeyResultID"];
            };
            cookie?: never;
        };
        /** Check-ins of a key result, the latest first */
        get: operations["ListCheckIns"];
        put?: never;
        /**
         * Say where a key result stands
         * @description For its owner, the objective's owner, the leads of its team, admins and owners; while the objective is approved and its cycle is active or within the days of grace. A correction names the check-in it replaces and stands at that one's time.
         */
        post: operations["CreateCheckIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objectives/{objective_id}/dialogues": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        /** Dialogues about an objective */
        get: operations["ListDialogues"];
        put?: never;
        /**
         * Open a dialogue
         * @description For members and above who see the objective.
         */
        post: operations["OpenDialogue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dialogues/{dialogue_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which dialogue */
                dialogue_id: components["parameters"]["DialogueID"];
            };
            cookie?: never;
        };
        /** One dialogue */
        get: operations["GetDialogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dialogues/{dialogue_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which dialogue */
                dialogue_id: components["parameters"]["DialogueID"];
            };
            cookie?: never;
        };
        /** Messages of a dialogue */
        get: operations["ListMessages"];
        put?: never;
        /**
         * Say something in a dialogue
         * @description For members and above who see the objective.
         */
        post: operations["CreateMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dialogues/{dialogue_id}/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which dialogue */
                dialogue_id: components["parameters"]["DialogueID"];
            };
            cookie?: never;
        };
        /** What the coach was asked for in a dialogue */
        get: operations["ListJobs"];
        put?: never;
        /**
         * Ask the coach for a draft or for feedback
         * @description For whoever may edit the objective. While a job of the same kind for the same objective is waiting or running, the answer is that job. A `message`, if given, is said in the dialogue first, in the same transaction.
         */
        post: operations["AskCoach"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dialogues/{dialogue_id}/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which dialogue */
                dialogue_id: components["parameters"]["DialogueID"];
            };
            cookie?: never;
        };
        /** Suggestions made in a dialogue */
        get: operations["ListSuggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which job */
                job_id: components["parameters"]["JobID"];
            };
            cookie?: never;
        };
        /** How far a job is */
        get: operations["GetJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{job_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which job */
                job_id: components["parameters"]["JobID"];
            };
            cookie?: never;
        };
        /**
         * Follow a job until it ends
         * @description Server-sent events: `job` with a Job in `data` at once and at each change of its state, `text` with a JSON string holding the partial answer where the same process runs the job, and comments to keep the line open. The stream ends with the job, or after five minutes; then ask again.
         */
        get: operations["FollowJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{job_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which job */
                job_id: components["parameters"]["JobID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job that has not ended
         * @description For whoever may edit the objective. 409 of type `wrong-state` if it had ended.
         */
        post: operations["CancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suggestions/{suggestion_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which suggestion */
                suggestion_id: components["parameters"]["SuggestionID"];
            };
            cookie?: never;
        };
        /** One suggestion */
        get: operations["GetSuggestion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suggestions/{suggestion_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which suggestion */
                suggestion_id: components["parameters"]["SuggestionID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a suggestion onto the revision it was made for
         * @description For whoever may edit the objective. Without `take` all of it is taken over; with it exactly what that says, which may be less than was suggested, or edited. Pointers of refused fields lead into the objective as it would be: key results that are there keep their places, new ones come behind them. If the objective has moved on, nothing is changed and the answer is 409 of type `superseded` with the objective as it is now.
         */
        post: operations["AcceptSuggestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suggestions/{suggestion_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which suggestion */
                suggestion_id: components["parameters"]["SuggestionID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a suggestion
         * @description For whoever may edit the objective.
         */
        post: operations["RejectSuggestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who did what, newest first
         * @description For admins and owners.
         */
        get: operations["ListAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the organisation has settled on */
        get: operations["GetOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change what the organisation has settled on
         * @description For admins and owners. A new time zone, cadence or grace counts from the next request on; figures of dashboards follow within a minute. Its revision is also that of whole-organisation files, which have to be made anew after a change.
         */
        patch: operations["UpdateOrganization"];
        trace?: never;
    };
    "/organization/ai": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which coach answers, and what is left of the month's tokens
         * @description For every member, since it says whether asking a model works just now.
         */
        get: operations["GetAIBudget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make the organisation what a file says
         * @description For owners, and outside production alone: elsewhere it is 503 of type `not-in-production`, before the body is read. The body is a file of `kakeai org export`, edited or not; whoever edited it leaves out `sha256`. Members, teams, cycles and objectives become what it says, all of them or none. Each is compared with the revision that the file has for it: if one has moved on, the answer is 409 of type `stale-revision` and `errors` names every one. Nothing is deleted, people are not changed, and what is recorded (check-ins, comments, dialogues, history, audit) stays. It is the one request whose cost grows with the organisation, and at most 64 MiB.
         */
        put: operations["ReplaceOrganization"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What one should know, newest activity first
         * @description One's own notifications about what one may see now. While one is unread, more of the same kind about the same thing joins it: `occurrences` counts them, and it moves to the front, so a page further back may lack one that is on the first page by then.
         */
        get: operations["ListNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How much is unread and owed */
        get: operations["GetNotificationSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark notifications as read
         * @description Either single ones as they were seen, each with its `latest_id`, or everything that was there when a page was answered, by that page's `seen`. What came or joined later stays unread, and marking again changes nothing.
         */
        post: operations["MarkNotificationsRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Hear of notifications as they come
         * @description Server-sent events: `summary` with an UnreadCount in `data` at once, then `notification` with a Notification each time there is a new one or more has joined an unread one, its `latest_id` as the event's id, and comments to keep the line open. After a break the browser says by `Last-Event-ID` where it was, and is told what came since then, at most 500; one may come twice. The stream ends after five minutes, and when the session does: then ask again. At most six at once for one session.
         */
        get: operations["FollowNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How one is told of what */
        get: operations["GetNotificationPreferences"];
        /**
         * Choose how to be told of what
         * @description The whole choice: kinds that are left out are told as by default again. A digest is what the inbox has gathered, so `digest` needs `inbox`.
         */
        put: operations["PutNotificationPreferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/owed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What one owes
         * @description One's drafts in active cycles, reviews that wait for one, key results whose check-in is due, surveys to answer and follow-ups, the earliest due first. At most 200; `more` says whether there are more.
         */
        get: operations["GetOwed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to objectives, newest first
         * @description Of those that one may see now. A page looks at a bounded number of entries, so it may hold fewer than `limit`, even none, and still lead on; the list ends where `next_cursor` is absent. With `objective_id` for an objective that one may not see it is 404.
         */
        get: operations["ListFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mail-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What one wants to be sent by mail
         * @description How each kind of notification comes is in the notification preferences; this is about mail as a whole.
         */
        get: operations["GetMailSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Choose when digests come, unsubscribe from all mail or subscribe again
         * @description They are one's own and each stands for itself, so there is no revision; what is not named stays as it is.
         */
        patch: operations["UpdateMailSettings"];
        trace?: never;
    };
    "/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who was invited, newest first
         * @description For admins and owners, like everything about invitations but accepting them.
         */
        get: operations["ListInvitations"];
        put?: never;
        /**
         * Invite people by e-mail, as many as 200
         * @description Each row is decided by itself, and the answer says what became of it. Nobody invites to a role above their own. Whoever is invited gets a mail with a secret link, in the organisation's language; the link is shown nowhere else. Somebody who has an account, because they belong to another organisation, joins with it.
         */
        post: operations["InviteMembers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{invitation_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which invitation */
                invitation_id: components["parameters"]["InvitationID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an invitation again, with another link
         * @description At most five mails for each, and not two within a minute. The link before leads nowhere any more, and all the days begin anew.
         */
        post: operations["ResendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{invitation_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which invitation */
                invitation_id: components["parameters"]["InvitationID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take an invitation back */
        post: operations["RevokeInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitation/look-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the link of an invitation is about
         * @description Nobody signs in for it. A link that leads nowhere is 404, whatever the reason; of one that was right there is 410 with the reason.
         */
        post: operations["LookUpInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitation/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join by the link of an invitation
         * @description Nobody signs in for it, and it signs nobody in: that comes next. Who has no account yet sends a name and a password for it. Who has one keeps it as it is.
         */
        post: operations["AcceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One's own account */
        get: operations["GetAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one's own name, language or time zone
         * @description They are the same in all of one's organisations. What is left out stays as it is, whoever else changes it meanwhile.
         */
        patch: operations["UpdateAccount"];
        trace?: never;
    };
    "/account/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change one's own password
         * @description All other sessions of the account end with it, in all of its organisations; the one that asks goes on. Who signs in through an identity provider alone has no password to change.
         */
        put: operations["ChangePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prove once more who one is
         * @description With the password. For ten minutes after it, as after signing in, the session may change what opens the account. Who has no password signs in again instead: 409 of type `wrong-state`.
         */
        post: operations["ConfirmSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What one signs in with at identity providers
         * @description One at each provider at most, so there are few. They belong to the person, in all of their organisations.
         */
        get: operations["GetIdentities"];
        put?: never;
        /**
         * Begin to add an identity to one's account
         * @description For browsers. The answer says where to go: to the provider, which leads back to `/session/oidc/callback`. What belongs to this attempt is in a cookie that only this server can read, for ten minutes; it counts in the very session that has asked, and in no other. There, a browser is led on to `/account`, with `?problem=` and the type of what was in the way if anything was; other clients are told by a problem: 409 of type `identity-taken` where the identity is somebody else's, which it stays, and of type `second-identity` where one has another identity at that provider. Asked for longer than ten minutes after signing in, it is 403 of type `confirmation-needed`: `POST /account/confirmation` first. 404 where no provider is configured.
         */
        post: operations["LinkIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/identities/{identity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which identity */
                identity_id: components["parameters"]["IdentityID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take an identity away from one's account
         * @description Nobody signs in with it any more, not by the e-mail address either, until it is added again. All other sessions of the account end, and all its tokens, in all of its organisations. 409 of type `only-way-in`: there is no password and no other identity. 403 of type `confirmation-needed` as for adding one.
         */
        delete: operations["UnlinkIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tokens for other programs
         * @description Those that have not ended. What they are made of is not kept.
         */
        get: operations["ListTokens"];
        put?: never;
        /**
         * Make a token for another program
         * @description It is for the organisation of the session that asks, and may what one may oneself at the moment of each request; with the scope `read` it only reads. It ends at its time, when it is revoked, when one is suspended, and when one's password is changed: whoever knew the password could have made it. A member has at most 50.
         */
        post: operations["CreateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which token */
                token_id: components["parameters"]["TokenID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a token
         * @description One's own, or as an admin those of members who are not above oneself. The next request with it is 401.
         */
        delete: operations["RevokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/broadcasts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Broadcasts that one may send, newest first
         * @description Admins and owners see all of them, leads those to teams that they lead. Drafts, what is scheduled, and what was sent.
         */
        get: operations["ListBroadcasts"];
        put?: never;
        /**
         * Draft a broadcast
         * @description Admins and owners write to everybody, leads to teams that they lead. It goes to nobody before it is sent or scheduled.
         */
        post: operations["CreateBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/broadcasts/{broadcast_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which broadcast */
                broadcast_id: components["parameters"]["BroadcastID"];
            };
            cookie?: never;
        };
        /**
         * One broadcast
         * @description For those who may send it, and for those whom it has reached; the latter are not told whom else it is for.
         */
        get: operations["GetBroadcast"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a draft, or what is scheduled
         * @description What is scheduled keeps its time. From the moment a broadcast is being sent its words stay as they are: `wrong-state`.
         */
        patch: operations["UpdateBroadcast"];
        trace?: never;
    };
    "/broadcasts/{broadcast_id}/audience": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which broadcast */
                broadcast_id: components["parameters"]["BroadcastID"];
            };
            cookie?: never;
        };
        /**
         * Whom it would reach if it were sent now
         * @description Members who are suspended and teams that are archived do not count. When it is sent, whoever then belongs to the audience gets it.
         */
        get: operations["PreviewBroadcastAudience"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/broadcasts/{broadcast_id}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which broadcast */
                broadcast_id: components["parameters"]["BroadcastID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have it sent at a time, or at another time
         * @description A time to come, at most a year from now. It is sent only if whoever changed or scheduled it last may still write to its audience by then; otherwise it is cancelled.
         */
        post: operations["ScheduleBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/broadcasts/{broadcast_id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which broadcast */
                broadcast_id: components["parameters"]["BroadcastID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send it now
         * @description It is sent in the background, to the revision's words and audience; `/broadcasts/{broadcast_id}/delivery` tells how far it is.
         */
        post: operations["SendBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/broadcasts/{broadcast_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which broadcast */
                broadcast_id: components["parameters"]["BroadcastID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take it back before it has been sent
         * @description A draft, what is scheduled, or the rest of what is being sent: whom it has reached, it has reached.
         */
        post: operations["CancelBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/broadcasts/{broadcast_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which broadcast */
                broadcast_id: components["parameters"]["BroadcastID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send it again to those whom it failed to reach
         * @description Those who are `failed` by now, and nobody else, unless somebody who is `uncertain` is named: they may then get it twice. Each is sent to once, also when two people ask at the same time: the second is told `stale-revision`. With nobody to send to it is `wrong-state`.
         */
        post: operations["ResendBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/broadcasts/{broadcast_id}/delivery": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which broadcast */
                broadcast_id: components["parameters"]["BroadcastID"];
            };
            cookie?: never;
        };
        /**
         * How far it has come
         * @description For those who may send it.
         */
        get: operations["GetBroadcastDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/broadcasts/{broadcast_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which broadcast */
                broadcast_id: components["parameters"]["BroadcastID"];
            };
            cookie?: never;
        };
        /**
         * What became of it for each member
         * @description For those who may send it.
         */
        get: operations["ListBroadcastDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where other systems hear of events
         * @description For admins and owners, like everything about webhooks.
         */
        get: operations["ListWebhooks"];
        put?: never;
        /**
         * Have events sent to an address
         * @description At most 50 of them. The address is https, without user name and password; what it leads to is checked each time something is sent there.
         */
        post: operations["CreateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which webhook */
                webhook_id: components["parameters"]["WebhookID"];
            };
            cookie?: never;
        };
        /** One webhook */
        get: operations["GetWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete it
         * @description What was about to be sent to it is not sent any more.
         */
        delete: operations["DeleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change its address or its kinds, switch it off or on
         * @description Switching it on forgets how often it has failed.
         */
        patch: operations["UpdateWebhook"];
        trace?: never;
    };
    "/webhooks/{webhook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which webhook */
                webhook_id: components["parameters"]["WebhookID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give it another secret
         * @description For 24 hours everything is signed with both, so that the receiver can change in its own time.
         */
        post: operations["RotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which webhook */
                webhook_id: components["parameters"]["WebhookID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send it a test
         * @description An event of the kind `webhook.test`, also to a webhook that is switched off.
         */
        post: operations["TestWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which webhook */
                webhook_id: components["parameters"]["WebhookID"];
            };
            cookie?: never;
        };
        /**
         * What was sent to it, newest first
         * @description Kept for 30 days.
         */
        get: operations["ListWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which webhook */
                webhook_id: components["parameters"]["WebhookID"];
                /** @description Which delivery */
                delivery_id: components["parameters"]["WebhookDeliveryID"];
            };
            cookie?: never;
        };
        /** One delivery */
        get: operations["GetWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}/deliveries/{delivery_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which webhook */
                webhook_id: components["parameters"]["WebhookID"];
                /** @description Which delivery */
                delivery_id: components["parameters"]["WebhookDeliveryID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send it again
         * @description Under the same id, by which the receiver recognises it. `wrong-state` while it is still on its way.
         */
        post: operations["ResendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How one may sign in here */
        get: operations["GetSignInMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in through the identity provider
         * @description For browsers: leads to the provider, which leads back to `/session/oidc/callback`. What belongs to this attempt is in a cookie that only this server can read, for ten minutes. 404 where no provider is configured. When the provider cannot be reached it is 503 of type `provider-unavailable`; signing in with a password goes on.
         */
        get: operations["StartOIDC"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the identity provider leads back to
         * @description Signs in whom the provider vouches for: by the identity that they have signed in with before, and otherwise by their e-mail address, which the provider has to have verified. Nobody gets an account this way. 401 of type `sign-in-failed`: the attempt is over, was another browser's, or the provider refused; begin anew. 403 of type `no-access`: nobody here is meant, or they may not sign in. What was begun at `POST /account/identities` adds the identity to the account instead, and signs nobody in. A browser that goes here (`Accept: text/html`) is led to a page that says what was in the way.
         */
        get: operations["FinishOIDC"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{member_id}/icon": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which member */
                member_id: components["parameters"]["MemberID"];
            };
            cookie?: never;
        };
        /**
         * A member's picture
         * @description A square PNG or JPEG of 256 × 256 pixels; 404 where there is none. At the address that `icon_url` gives, with its `v`, the answer may be kept for a year, because another picture has another address; without `v`, or with one that is no longer right, it is to be asked for again, and a conditional request is answered with 304.
         */
        get: operations["GetMemberIcon"];
        /**
         * Give a member a picture
         * @description One's own, or as an admin anybody's. The body is the file itself: PNG, JPEG, GIF (its first frame) or WebP (lossy, without transparency), at most 5 MiB and 4096 × 4096 pixels, and of the type that `Content-Type` says. It is turned upright, cut to a square around the middle, scaled to 256 × 256 pixels and encoded anew; nothing else of it is kept. No import replaces it.
         */
        put: operations["PutMemberIcon"];
        post?: never;
        /**
         * Take a member's picture away
         * @description One's own, or as an admin anybody's. If the identity provider has one, the next sign-in through it brings that.
         */
        delete: operations["DeleteMemberIcon"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meetings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Meetings that one attends, or a team's
         * @description Without `team_id` those that one attends; with it those of a team that one is in, or any team's for admins and owners. Series are listed once; `from` and `before` leave those that take place between the two.
         */
        get: operations["ListMeetings"];
        put?: never;
        /**
         * Call a meeting, or a series of them
         * @description For members and above, of a team they are in. Whoever calls it organises it and attends. Those invited are told in the inbox and by mail. The clock on the wall of `time_zone` counts: what it leaves out in spring is as much later, and of what it shows twice in autumn the first is meant.
         */
        post: operations["CreateMeeting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meetings/{meeting_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which meeting */
                meeting_id: components["parameters"]["MeetingID"];
            };
            cookie?: never;
        };
        /**
         * One meeting
         * @description For those who attend, its team, admins and owners.
         */
        get: operations["GetMeeting"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a meeting or series
         * @description For its organiser, the leads of its team, admins and owners. `agenda`, `materials` and `survey.questions` are whole lists. When its times change, occurrences that are past, that were moved or called off by hand, or that hold minutes, answers, follow-ups or check-ins stay; the others follow the new rule.
         */
        patch: operations["UpdateMeeting"];
        trace?: never;
    };
    "/meetings/{meeting_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which meeting */
                meeting_id: components["parameters"]["MeetingID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a meeting or series off
         * @description For whoever may change it. What took place stays.
         */
        post: operations["CancelMeeting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meetings/{meeting_id}/attendees": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which meeting */
                meeting_id: components["parameters"]["MeetingID"];
            };
            cookie?: never;
        };
        /** Who attends a meeting */
        get: operations["ListAttendees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meetings/{meeting_id}/attendees/{member_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which meeting */
                meeting_id: components["parameters"]["MeetingID"];
                /** @description Which member */
                member_id: components["parameters"]["MemberID"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Invite a member
         * @description For whoever may change the meeting. Who is invited already stays as they are. A meeting has at most 500 attendees.
         */
        put: operations["PutAttendee"];
        post?: never;
        /**
         * Take a member out of a meeting
         * @description For whoever may change the meeting, and for the member themself. The organiser stays.
         */
        delete: operations["RemoveAttendee"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meetings/{meeting_id}/response": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which meeting */
                meeting_id: components["parameters"]["MeetingID"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Say whether one comes
         * @description For those who attend.
         */
        put: operations["RespondToMeeting"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meetings/{meeting_id}/calendar.ics": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which meeting */
                meeting_id: components["parameters"]["MeetingID"];
            };
            cookie?: never;
        };
        /** A meeting as a file for calendar programs */
        get: operations["GetMeetingCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/occurrences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What takes place between two times, or of one meeting
         * @description Without `from` and `before`, from yesterday on for 31 days. Without `team_id` of the meetings that one attends; with it of those of a team that one is in, or any team's for admins and owners. What was called off is there too. With `meeting_id`, of that meeting, if one sees it: all times it ever took place and will, unless `from` or `before` say otherwise, each of which may then stand alone; with `newest` from the latest back.
         */
        get: operations["ListOccurrences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/occurrences/{occurrence_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which occurrence of a meeting */
                occurrence_id: components["parameters"]["OccurrenceID"];
            };
            cookie?: never;
        };
        /**
         * One time that a meeting takes place
         * @description All that the meeting's page needs: agenda, materials with what their pages say of themselves, the survey's state, check-ins so far, minutes, follow-ups.
         */
        get: operations["GetOccurrence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/occurrences/{occurrence_id}/move": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which occurrence of a meeting */
                occurrence_id: components["parameters"]["OccurrenceID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move one time of a meeting
         * @description For whoever may change the meeting. The others of a series stay.
         */
        post: operations["MoveOccurrence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/occurrences/{occurrence_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which occurrence of a meeting */
                occurrence_id: components["parameters"]["OccurrenceID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call one time of a meeting off
         * @description For whoever may change the meeting. The others of a series stay.
         */
        post: operations["CancelOccurrence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/occurrences/{occurrence_id}/minutes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which occurrence of a meeting */
                occurrence_id: components["parameters"]["OccurrenceID"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Write down what was said and decided
         * @description For those who attend and whoever may change the meeting. Of two who write at once the second gets 409 with what the first wrote.
         */
        put: operations["WriteMinutes"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/occurrences/{occurrence_id}/key-results": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which occurrence of a meeting */
                occurrence_id: components["parameters"]["OccurrenceID"];
            };
            cookie?: never;
        };
        /**
         * What to go through in a meeting
         * @description The approved objectives of the agenda; without any, the team's in active cycles. At most 50, those that one may see. Each is checked in with `occurrence_id`.
         */
        get: operations["GetOccurrenceKeyResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/occurrences/{occurrence_id}/survey": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which occurrence of a meeting */
                occurrence_id: components["parameters"]["OccurrenceID"];
            };
            cookie?: never;
        };
        /**
         * The survey before a meeting
         * @description Questions, how many have answered, one's own answers, and the results where the survey's rule shows them. For one's own anonymous answers send their secret in `Survey-Secret`. Results of an anonymous survey are shown from the start on, if at least three have answered, in random order.
         */
        get: operations["GetSurvey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/occurrences/{occurrence_id}/answers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which occurrence of a meeting */
                occurrence_id: components["parameters"]["OccurrenceID"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Answer the survey before a meeting
         * @description For those who attend, until the meeting starts; all answers at once, and as often as one likes. Answers to an anonymous survey are kept without a name. The answer to the first sending has a `secret`, which is kept nowhere else; with it they can be changed. To be safe against an answer that gets lost, send a secret of one's own the first time. It takes no Idempotency-Key, which would be kept beside the name; sending the same with the same secret is harmless.
         */
        put: operations["AnswerSurvey"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/occurrences/{occurrence_id}/follow-ups": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which occurrence of a meeting */
                occurrence_id: components["parameters"]["OccurrenceID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Agree on something to do
         * @description For those who attend and whoever may change the meeting. It stands in what the assignee owes until it is done. An occurrence has at most 200.
         */
        post: operations["CreateFollowUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/follow-ups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one has agreed to do and has not done */
        get: operations["ListFollowUps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/follow-ups/{follow_up_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which follow-up */
                follow_up_id: components["parameters"]["FollowUpID"];
            };
            cookie?: never;
        };
        /**
         * One follow-up
         * @description For its assignee and those who see its meeting.
         */
        get: operations["GetFollowUp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a follow-up, or say that it is done
         * @description For its assignee, whoever made it, and whoever may write the meeting's minutes. Whom it is given to is told, as by the first.
         */
        patch: operations["UpdateFollowUp"];
        trace?: never;
    };
    "/calendar-feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A secret address for one's own calendar
         * @description Whoever has it can read one's meetings in a calendar program. A new one ends the one before. It takes no Idempotency-Key, which would keep the secret.
         */
        post: operations["OpenCalendarFeed"];
        /** End the secret address of one's calendar */
        delete: operations["CloseCalendarFeed"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar/{feed}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The secret of the address, and `.ics` */
                feed: components["parameters"]["Feed"];
            };
            cookie?: never;
        };
        /**
         * Somebody's calendar
         * @description For calendar programs, which do not sign in: the address is the secret. From 30 days ago to a year ahead, at most 1,000 meetings.
         */
        get: operations["GetCalendarFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objectives/{objective_id}/history/{revision}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
                /** @description Which revision */
                revision: components["parameters"]["RevisionNumber"];
            };
            cookie?: never;
        };
        /** One revision of an objective, and what it changed */
        get: operations["GetObjectiveRevision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objectives/{objective_id}/restore-version": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an objective the content of an older revision, as a new revision
         * @description An edit like any other: for whoever may edit it, in a state in which it is edited, and whole or not at all. Title, description, kind, visibility, team, owner, alignment and key results become what they were; state, score and check-ins stay. Key results that came later are archived, and steps that were taken out come back with what was checked in of them. What cannot come back is named, with pointers into the older content: people and teams that have left, a parent that would now lead in a circle, a key result whose kind its check-ins have fixed.
         */
        post: operations["RestoreObjectiveVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/comments/{comment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which comment */
                comment_id: components["parameters"]["CommentID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take back a comment
         * @description One's own; admins and owners anybody's. Its words go, and its place, author and times stay, so that the answers to it still make sense. What inboxes and mails have quoted of it before is not taken back.
         */
        delete: operations["DeleteComment"];
        options?: never;
        head?: never;
        /**
         * Change one's own comment
         * @description Whom the change mentions anew is told of it; nobody else is told again.
         */
        patch: operations["UpdateComment"];
        trace?: never;
    };
    "/cycles/{cycle_id}/to-score": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        /**
         * What is still to be scored before a cycle is closed
         * @description The cycle's approved objectives that one may see, each with the score that closing it suggests.
         */
        get: operations["ListObjectivesToScore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cycles/{cycle_id}/scores": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close many objectives of a cycle with their scores
         * @description Each as if it were closed by itself: by its owner or a reviewer, from the revision that is named, with the suggested score unless another is given, and with a note where one is needed. Each has a result of its own, in the order of the request; those that cannot be closed change nothing and hold up nobody. The objectives that are closed are closed together or, if the request fails, none of them.
         */
        post: operations["ScoreObjectives"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cycles/{cycle_id}/carry-over": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Carry objectives over into a later cycle
         * @description Makes drafts in `target_cycle_id` of the objectives of this cycle that one may see and could draft there, whatever their state, unless they are archived. A metric starts from the value that it reached, a threshold keeps its band, a milestone keeps the steps not done; a key result that reached its target is not carried, nor is an objective all of whose key results did. Each objective has one copy in a cycle, whoever carries it over and however often. With `dry_run` nothing is made, and the answer is what would be. One request looks at `limit` objectives; go on with `next_cursor` until there is none. An alignment is kept where the parent is carried along, whichever comes first; otherwise it leads to the old parent, and the copy is flagged until somebody says what it contributes to. What an objective supports its copy supports too: the other end's copy where there is one or comes to be one, else the objective itself. What supports it and is not carried over goes on supporting the original.
         */
        post: operations["CarryOver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cycles/{cycle_id}/alignment": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        /**
         * The roots of a cycle's alignment
         * @description First the objectives that contribute to nothing, then those whose parent is not in this tree: one that whoever asks may not see, an archived one, or one of another cycle. Archived ones are left out. A page looks at a bounded number of objectives, so it may hold fewer than `limit`, even none, and still lead on; the list ends where `next_cursor` is absent.
         */
        get: operations["ListAlignmentRoots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objectives/{objective_id}/children": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        /**
         * What contributes to an objective
         * @description Those that whoever asks may see and that are not archived, of whichever cycle. A page looks at a bounded number of objectives, so it may hold fewer than `limit`, even none, and still lead on; the list ends where `next_cursor` is absent.
         */
        get: operations["ListChildren"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objectives/{objective_id}/path": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        /**
         * From the root of the alignment down to an objective
         * @description What whoever asks may not see is a step without a name. At most 65 steps, the nearest ones.
         */
        get: operations["GetAlignmentPath"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objectives/{objective_id}/supports": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        /**
         * What an objective supports, or what supports it
         * @description Those that whoever asks may see and that are not archived. A page looks at a bounded number of objectives, so it may hold fewer than `limit`, even none, and still lead on; the list ends where `next_cursor` is absent.
         */
        get: operations["ListSupported"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objectives/{objective_id}/supports/{supported_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
                /** @description Which objective is supported */
                supported_id: components["parameters"]["SupportedID"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Have an objective support another, beside the parent that it contributes to
         * @description For whoever may edit the one that supports, in any state but closed and archived; they see both. An objective supports at most 50, and not itself. It is no edit: the revision stays, and doing it twice is doing it once.
         */
        put: operations["SupportObjective"];
        post?: never;
        /**
         * Have an objective support another no longer
         * @description For whoever may edit the one that supports, in any state but closed and archived. It is no edit, and doing it twice is doing it once. What may not be seen can be taken away by its id.
         */
        delete: operations["StopSupporting"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find objectives, people and teams by a few words
         * @description Everything found has all of the words: objectives in their titles or in those of their key results, people in name or address, teams in their names. Kana and kanji are found within a text, two characters and one alone too; other words by their beginnings. Width, case, accents, and hiragana or katakana make no difference. Objectives are those that whoever asks may see and that are not archived; people are not suspended, teams not archived. What is named like that comes first, then what begins like that, then the rest, newest first. Each list looks at a bounded number of things; `more` says that there may be others, which further words will find.
         */
        get: operations["Search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where one's own objectives, one's teams and the organisation stand
         * @description Of one cycle: of the active one that today lies in, unless `cycle_id` says otherwise; `cycles` are those there are to choose from. Figures follow changes within seconds; `computed_at` says as of when. With `as_of`, how it stood at that moment: one's own objectives by their history and the check-ins of then, and what is summed up as it was recorded at the end of the last day before. Who may see what is decided by who may see it now. It costs the same however many objectives there are.
         */
        get: operations["GetDashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/teams/{team_id}/overview": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which team */
                team_id: components["parameters"]["TeamID"];
            };
            cookie?: never;
        };
        /**
         * A team's page
         * @description Its figures in one cycle, its members, its objectives that one may see, and what happened to them lately. Who has not set objectives or not checked in is for its leads, admins and owners.
         */
        get: operations["GetTeamOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cycles/{cycle_id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        /**
         * How a cycle has come along, day by day
         * @description As it stood when each of its days ended, at most the last 1100 that were recorded, and now; of the whole organisation, or of a team. A day on which no program ran was not recorded.
         */
        get: operations["GetCycleProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cycles/{cycle_id}/missing-objectives": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        /**
         * Who has set no objective in a cycle
         * @description Members who own none there, drafts included. Of a team for its leads; of all teams that one leads, or of the whole organisation for admins and owners, where none is named; for others it is 403. A page looks at a bounded number of members, so it may hold fewer than `limit`, even none, and still lead on.
         */
        get: operations["ListMissingObjectives"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cycles/{cycle_id}/missing-check-ins": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        /**
         * Approved objectives without a check-in for too long
         * @description Those that are outdated, the longest silent first. For the same people as who has set no objective.
         */
        get: operations["ListMissingCheckIns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objectives/{objective_id}/series": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        /**
         * How an objective's key results have moved
         * @description The latest 60 check-ins of each, corrected ones left out, by its definition of now, with what was expected on the day.
         */
        get: operations["GetObjectiveSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cycles/{cycle_id}/teams": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        /**
         * What the teams come to in a cycle
         * @description All teams, and archived ones as long as they have objectives there that count. With `as_of`, as it was recorded at the end of the last day before that moment; no team at all where nothing was. A page looks at a bounded number of teams, so it may hold fewer than `limit`, even none, and still lead on; the list ends where `next_cursor` is absent.
         */
        get: operations["ListCycleTeams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Files that were brought, newest first
         * @description One's own; for admins everybody's.
         */
        get: operations["ListImports"];
        put?: never;
        /**
         * Bring a file
         * @description CSV, JSON with an array of flat objects, or an Excel workbook; at most 64 MiB (a workbook 20 MiB), 200,000 rows, 200 columns and 256 KiB in a row. It is kept row by row. Nothing else happens: encoding, separator and what the columns mean are guessed and shown, and can be changed before it is checked or run. A file that cannot be read is 422 and says where. Of a workbook one sheet is read: the values that formulas had when it was saved, and dates, numbers and percentages whatever they look like.
         */
        post: operations["CreateImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{import_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which import */
                import_id: components["parameters"]["ImportID"];
            };
            cookie?: never;
        };
        /**
         * One file, how it is read, and how far it has come
         * @description While it is being checked or run, ask again every second or so, or follow it.
         */
        get: operations["GetImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change how a file is read
         * @description What an earlier check found no longer counts.
         */
        patch: operations["UpdateImport"];
        trace?: never;
    };
    "/imports/{import_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which import */
                import_id: components["parameters"]["ImportID"];
            };
            cookie?: never;
        };
        /**
         * Follow the work on a file until it ends
         * @description Server-sent events: `import` with an Import in `data` at once and whenever it has come further, and comments to keep the line open. The stream ends when nobody is at work on the file any more, or after five minutes; then ask again.
         */
        get: operations["FollowImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{import_id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which import */
                import_id: components["parameters"]["ImportID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find out what running a file would do
         * @description In the background, and without doing it. Afterwards each row has a result, and reasons where it is refused.
         */
        post: operations["CheckImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{import_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which import */
                import_id: components["parameters"]["ImportID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make what a file says
         * @description In the background. It is checked once more first. If a row is refused, nothing is written and the import is `checked` with the failure `rows-refused`, unless `good_rows_only` is set. Otherwise all of it is written in one transaction, or with `good_rows_only` page after page. The same file a second time makes nothing new; what differs from it is updated.
         */
        post: operations["RunImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{import_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which import */
                import_id: components["parameters"]["ImportID"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop checking or running a file
         * @description Nothing of it has been written, unless only the good rows were asked for; what is written of those stays.
         */
        post: operations["CancelImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{import_id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which import */
                import_id: components["parameters"]["ImportID"];
            };
            cookie?: never;
        };
        /** A file's rows, with what became of each and why */
        get: operations["ListImportRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that one may see, as a file
         * @description Objectives with their key results and check-ins, each check-in in a row of its own. It is streamed page by page, each as it is at that moment; if it breaks off, so does the connection. Cells that a spreadsheet would take for formulas have an apostrophe before them, which an import takes away. A CSV is UTF-8 with a byte-order mark, so that spreadsheets read it as such; `utf-8` leaves the mark out, and `shift_jis` has a question mark for what it cannot write.
         */
        get: operations["ExportObjectives"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the coach was asked for, newest first
         * @description For admins and owners, who may see every objective. One of them is stopped by `/jobs/{job_id}/cancel`.
         */
        get: operations["ListOrganizationJobs"];
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
        /** @description RFC 9457 problem details. */
        Problem: {
            /**
             * @description What kind of problem, stable: one of the words in the responses' descriptions
             * @example stale-revision
             */
            type: string;
            /**
             * @description The kind in words
             * @example This has been changed meanwhile
             */
            title: string;
            /**
             * @description The HTTP status
             * @example 409
             */
            status: number;
            /**
             * @description What it is in this case
             * @example The objective is at revision 8; the edit was made from revision 7.
             */
            detail?: string;
            /**
             * @description The request's id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            request_id?: string;
            /** @description Every field that is wrong */
            errors?: components["schemas"]["FieldProblem"][];
            /** @description stale-revision, superseded: the thing as it is now, in the form that reading it has */
            present?: {
                [key: string]: unknown;
            };
            changed_by?: components["schemas"]["Person"];
            /**
             * Format: date-time
             * @description stale-revision, superseded: when it was changed last
             * @example 2026-11-29T09:30:00Z
             */
            changed_at?: string;
        };
        /** @description What is wrong with one field. */
        FieldProblem: {
            /**
             * @description JSON pointer into the body; parameters as `/query/…`, `/path/…`, `/header/…`
             * @example /key_results/0/target
             */
            pointer: string;
            /**
             * @description Stable name of the rule
             * @example baseline-equals-target
             */
            code: string;
            /**
             * @description The rule in words
             * @example Baseline and target must differ.
             */
            detail: string;
        };
        /** @description A member by name. */
        Person: {
            /**
             * Format: uuid
             * @description The member's id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description Their name
             * @example 佐藤 葵
             */
            name: string;
        };
        /**
         * Format: int64
         * @description Raised by one with each change
         * @example 7
         */
        Revision: number;
        /**
         * @description A decimal number, at most 15 digits before and 6 after the point.
         * @example 45.5
         */
        Decimal: string;
        /**
         * @description A share, at least 0; 1 unless said otherwise.
         * @example 1
         */
        Weight: string;
        /** @description Progress rolled up: 0 to 1, what is beyond the target shown beside it. */
        Progress: {
            /**
             * @description 0 to 1
             * @example 0.6667
             */
            value: string;
            /**
             * @description For display: rounded half up, 99 until really reached
             * @example 67
             */
            percent: number;
            /**
             * @description No key result has a check-in, or nothing that contributes has one
             * @example false
             */
            pending: boolean;
            /**
             * @description There is no key result that counts, and nothing that counts contributes
             * @example false
             */
            empty: boolean;
            /**
             * Format: int32
             * @description There only where an objective has no key result that counts: of how many objectives that contribute to it this is the mean, computed a moment after each change
             * @example 4
             */
            children?: number;
            /**
             * @description True where there is a number, and it would give away one of fewer than three objectives that the reader may not see; left out otherwise
             * @example true
             */
            withheld?: boolean;
            /**
             * @description By how much more it would be if progress beyond targets counted
             * @example 0
             */
            overshoot: string;
        };
        /** @description Who wants in. */
        SignIn: {
            /**
             * @description E-mail address; upper and lower case are alike
             * @example aoi@example.com
             */
            email: string;
            /**
             * @description Password
             * @example correct horse battery staple
             */
            password: string;
            /**
             * Format: uuid
             * @description Which organisation; the earliest joined if left out
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            organization_id?: string;
        };
        /** @description Who is signed in, where and as what. */
        Session: {
            /**
             * Format: uuid
             * @description The session's id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            user: components["schemas"]["Person"];
            /**
             * @description Where one's own picture is; null for none
             * @example /api/v1/members/0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77/icon?v=9f86d081884c7d659a2feaa0c55ad015
             */
            icon_url: string | null;
            organization: components["schemas"]["Organization"];
            role: components["schemas"]["Role"];
            /** @description Teams one is in */
            team_ids: string[];
            /** @description Teams one leads */
            lead_team_ids: string[];
            token_scope?: components["schemas"]["TokenScope"];
        };
        /** @description A new session. */
        SignedIn: {
            /**
             * @description For `Authorization: Bearer`; shown this once
             * @example kks_AZPwoXwefTqfEAxbPx8qd…
             */
            token: string;
            /**
             * Format: uuid
             * @description The session's id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            session_id: string;
            /**
             * Format: date-time
             * @description When the session ends by itself
             * @example 2026-12-29T09:30:00Z
             */
            expires_at: string;
            user: components["schemas"]["Person"];
            /**
             * Format: uuid
             * @description The organisation the session is for
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            organization_id: string;
            /** @description Everywhere this person may sign in, the earliest joined first */
            organizations: components["schemas"]["OrganizationChoice"][];
        };
        /** @description An organisation one may sign in to. */
        OrganizationChoice: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description Its name
             * @example みなと製作所
             */
            name: string;
            role: components["schemas"]["Role"];
        };
        /** @description The organisation and what it has settled on. */
        Organization: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description Its name
             * @example みなと製作所
             */
            name: string;
            /**
             * @description Its language
             * @example ja
             * @enum {string}
             */
            locale: "ja" | "en";
            /**
             * @description The time zone its days are counted in
             * @example Asia/Tokyo
             */
            time_zone: string;
            /**
             * @description How often to check in
             * @example weekly
             * @enum {string}
             */
            cadence: "weekly" | "biweekly" | "monthly";
            /**
             * @description Days after a cycle's end in which check-ins are still taken
             * @example 7
             */
            grace_days: number;
        };
        /** @description One of one's own sessions. */
        SessionSummary: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description The one that asks
             * @example true
             */
            current: boolean;
            /**
             * @description What the browser called itself
             * @example Mozilla/5.0
             */
            user_agent: string;
            /**
             * @description Where it was opened from
             * @example 203.0.113.7
             */
            address: string;
            /**
             * Format: date-time
             * @description When it was opened
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends by itself
             * @example 2026-12-29T09:30:00Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was last used, to about five minutes; absent until that is known
             * @example 2026-11-30T08:05:12Z
             */
            last_accessed_at?: string;
        };
        /** @description A page of sessions. */
        SessionPage: {
            /** @description Sessions */
            items: components["schemas"]["SessionSummary"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /**
         * @description Leads to the next page; absent on the last
         * @example AQAAAZPwoXwe…
         */
        NextCursor: string;
        /**
         * @description What a member may do; each includes the ones after it
         * @example member
         * @enum {string}
         */
        Role: "owner" | "admin" | "member" | "viewer";
        /**
         * @description What a member is in a team
         * @example lead
         * @enum {string}
         */
        TeamRole: "lead" | "member";
        /** @description A member of the organisation. */
        Member: {
            /**
             * Format: uuid
             * @description Their id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description Their name
             * @example 佐藤 葵
             */
            name: string;
            /**
             * @description Their e-mail address
             * @example aoi@example.com
             */
            email: string;
            role: components["schemas"]["Role"];
            /**
             * @description May not sign in at present
             * @example false
             */
            suspended: boolean;
            /**
             * @description Where their picture is; null for none
             * @example /api/v1/members/0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77/icon?v=9f86d081884c7d659a2feaa0c55ad015
             */
            icon_url: string | null;
            revision: components["schemas"]["Revision"];
            /**
             * Format: date-time
             * @description When they joined
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
        };
        /** @description A page of members. */
        MemberPage: {
            /** @description Members */
            items: components["schemas"]["Member"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description What to change. */
        MemberPatch: {
            revision?: components["schemas"]["Revision"];
            role?: components["schemas"]["Role"];
            /**
             * @description true suspends, false lets back
             * @example true
             */
            suspended?: boolean;
        };
        /** @description A team. */
        Team: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description Its name, unique among the teams that are not archived
             * @example カスタマーサクセス
             */
            name: string;
            /**
             * @description What it is for
             * @example お客さまの定着を支えるチーム
             */
            description?: string;
            /**
             * @description No longer in use
             * @example false
             */
            archived: boolean;
            revision: components["schemas"]["Revision"];
            /**
             * Format: date-time
             * @description When it was made
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last
             * @example 2026-11-29T09:30:00Z
             */
            changed_at: string;
        };
        /** @description A page of teams. */
        TeamPage: {
            /** @description Teams */
            items: components["schemas"]["Team"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description A new team. */
        TeamCreate: {
            /**
             * @description Its name
             * @example Platform Engineering
             */
            name: string;
            /**
             * @description What it is for
             * @example Keeps the product fast and standing
             */
            description?: string;
        };
        /** @description What to change. */
        TeamPatch: {
            revision?: components["schemas"]["Revision"];
            /**
             * @description Its name
             * @example Platform
             */
            name?: string;
            /**
             * @description What it is for; null for none
             * @example Keeps the product fast and standing
             */
            description?: string | null;
            /**
             * @description true archives, false restores
             * @example false
             */
            archived?: boolean;
        };
        /** @description A member's place in a team. */
        TeamMember: {
            member: components["schemas"]["Person"];
            role: components["schemas"]["TeamRole"];
        };
        /** @description A page of a team's members. */
        TeamMemberPage: {
            /** @description Members */
            items: components["schemas"]["TeamMember"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description As what. */
        TeamMemberPut: {
            role: components["schemas"]["TeamRole"];
        };
        /**
         * @description Where a cycle is in its life
         * @example active
         * @enum {string}
         */
        CycleState: "preparation" | "active" | "closed";
        /** @description A time that objectives are set for. */
        Cycle: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description Its name
             * @example 2026 Q4
             */
            name: string;
            /**
             * Format: date
             * @description Its first day
             * @example 2026-10-01
             */
            starts_on: string;
            /**
             * Format: date
             * @description Its last day
             * @example 2026-12-31
             */
            ends_on: string;
            state: components["schemas"]["CycleState"];
            revision: components["schemas"]["Revision"];
            /**
             * Format: date-time
             * @description When it was made
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last
             * @example 2026-11-29T09:30:00Z
             */
            changed_at: string;
        };
        /** @description A page of cycles. */
        CyclePage: {
            /** @description Cycles */
            items: components["schemas"]["Cycle"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description A new cycle. */
        CycleCreate: {
            /**
             * @description Its name
             * @example 2027 Q1
             */
            name: string;
            /**
             * Format: date
             * @description Its first day
             * @example 2027-01-01
             */
            starts_on: string;
            /**
             * Format: date
             * @description Its last day, not before the first
             * @example 2027-03-31
             */
            ends_on: string;
        };
        /** @description What to change. */
        CyclePatch: {
            revision?: components["schemas"]["Revision"];
            /**
             * @description Its name
             * @example 2027 Q1
             */
            name?: string;
            /**
             * Format: date
             * @description Its first day
             * @example 2027-01-01
             */
            starts_on?: string;
            /**
             * Format: date
             * @description Its last day
             * @example 2027-03-31
             */
            ends_on?: string;
            state?: components["schemas"]["CycleState"];
            /**
             * @description Close it though approved objectives in it have no score; they can still be scored afterwards
             * @example true
             */
            leave_unscored?: boolean;
        };
        /**
         * @description Where an objective is in its life
         * @example draft
         * @enum {string}
         */
        ObjectiveState: "draft" | "submitted" | "approved" | "closed";
        /**
         * @description What can be done with an objective
         * @example submit
         * @enum {string}
         */
        ObjectiveAction: "submit" | "approve" | "return" | "revise" | "close" | "reopen" | "archive" | "restore";
        /**
         * @description committed expects score 1.0, aspirational 0.7
         * @example committed
         * @enum {string}
         */
        ObjectiveKind: "committed" | "aspirational";
        /**
         * @description Who sees it: everyone; its owner and team; or its owner and the leads of its team. Admins and owners always do
         * @example organization
         * @enum {string}
         */
        Visibility: "organization" | "team" | "private";
        /**
         * @description How it is measured
         * @example metric
         * @enum {string}
         */
        KeyResultKind: "metric" | "threshold" | "milestone";
        /**
         * @description Progress against the time that has passed
         * @example on_track
         * @enum {string}
         */
        Health: "on_track" | "at_risk" | "off_track" | "pending";
        /** @description An objective as lists show it. */
        ObjectiveSummary: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            revision: components["schemas"]["Revision"];
            /**
             * @description What is to be reached
             * @example お客さまに選ばれ続けるサービスになる
             */
            title: string;
            kind: components["schemas"]["ObjectiveKind"];
            visibility: components["schemas"]["Visibility"];
            state: components["schemas"]["ObjectiveState"];
            /**
             * @description Put away
             * @example false
             */
            archived: boolean;
            owner: components["schemas"]["Person"];
            /**
             * Format: uuid
             * @description Its team, if it is a team's
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            team_id?: string;
            /**
             * Format: uuid
             * @description Its cycle
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            cycle_id: string;
            /**
             * Format: uuid
             * @description What it contributes to, if whoever asks may see that
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            parent_objective_id?: string;
            /**
             * @description There, and true, where it contributes to an objective that whoever asks may not see
             * @example true
             */
            parent_hidden?: boolean;
            progress: components["schemas"]["Progress"];
            health: components["schemas"]["Health"];
            /**
             * @description No check-in for the cadence and three days
             * @example false
             */
            outdated: boolean;
            /**
             * @description One of its key results is off track
             * @example false
             */
            any_off_track: boolean;
            /**
             * @description 0.0 to 1.0, judged at close
             * @example 0.7
             */
            score?: string;
            /**
             * @description How many key results count
             * @example 3
             */
            key_result_count: number;
            /**
             * Format: date-time
             * @description When it was drafted
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last
             * @example 2026-11-29T09:30:00Z
             */
            changed_at: string;
        };
        /** @description A page of objectives. */
        ObjectivePage: {
            /** @description Objectives */
            items: components["schemas"]["ObjectiveSummary"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description An objective with its key results. */
        Objective: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            revision: components["schemas"]["Revision"];
            /**
             * @description What is to be reached
             * @example お客さまに選ばれ続けるサービスになる
             */
            title: string;
            /**
             * @description Why
             * @example 解約の理由の半分が初回対応の遅れにある。
             */
            description?: string;
            kind: components["schemas"]["ObjectiveKind"];
            visibility: components["schemas"]["Visibility"];
            state: components["schemas"]["ObjectiveState"];
            /**
             * @description Put away
             * @example false
             */
            archived: boolean;
            owner: components["schemas"]["Person"];
            /**
             * Format: uuid
             * @description Its team, if it is a team's
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            team_id?: string;
            /**
             * Format: uuid
             * @description Its cycle
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            cycle_id: string;
            /**
             * Format: uuid
             * @description What it contributes to, if whoever asks may see that
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            parent_objective_id?: string;
            /**
             * @description There, and true, where it contributes to an objective that whoever asks may not see
             * @example true
             */
            parent_hidden?: boolean;
            /**
             * Format: uuid
             * @description Which key result of it
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            parent_key_result_id?: string;
            progress: components["schemas"]["Progress"];
            health: components["schemas"]["Health"];
            /**
             * @description No check-in for the cadence and three days
             * @example false
             */
            outdated: boolean;
            /**
             * @description One of its key results is off track
             * @example false
             */
            any_off_track: boolean;
            /**
             * @description 0.0 to 1.0, judged at close
             * @example 0.7
             */
            score?: string;
            /** @description In their order */
            key_results: components["schemas"]["KeyResult"][];
            /** @description What whoever asks may do with it now */
            actions: components["schemas"]["ObjectiveAction"][];
            /**
             * @description Whoever asks may change its content
             * @example true
             */
            may_edit: boolean;
            /**
             * Format: uuid
             * @description The objective of an earlier cycle that it was carried over from
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            carried_from_id?: string;
            /**
             * @description It was carried over without its parent, and nobody has said since what it contributes to; absent otherwise
             * @example true
             */
            alignment_flagged?: boolean;
            /**
             * Format: date-time
             * @description When it was drafted
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last
             * @example 2026-11-29T09:30:00Z
             */
            changed_at: string;
            changed_by: components["schemas"]["Person"];
            /**
             * Format: date-time
             * @description The past moment that was asked for; absent for now
             * @example 2026-11-01T00:00:00Z
             */
            as_of?: string;
        };
        /** @description A key result and where it stands. Only the fields of its kind are there. */
        KeyResult: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description What is measured
             * @example NPS
             */
            title: string;
            /**
             * @description How and where it is measured
             * @example 四半期アンケートの平均
             */
            description?: string;
            owner?: components["schemas"]["Person"];
            kind: components["schemas"]["KeyResultKind"];
            /**
             * @description What it is counted in
             * @example %
             */
            unit: string;
            baseline?: components["schemas"]["Decimal"];
            target?: components["schemas"]["Decimal"];
            stretch?: components["schemas"]["Decimal"];
            at_least?: components["schemas"]["Decimal"];
            at_most?: components["schemas"]["Decimal"];
            tolerance?: components["schemas"]["Decimal"];
            /** @description Of a milestone */
            steps?: components["schemas"]["Step"][];
            weight: components["schemas"]["Weight"];
            /**
             * @description No check-in yet
             * @example false
             */
            pending: boolean;
            /**
             * @description Raw: may be below 0 or above 1
             * @example 0.6667
             */
            progress: string;
            /**
             * @description For display: rounded half up, 99 until really reached
             * @example 67
             */
            percent: number;
            current_value?: components["schemas"]["Decimal"];
            /** @description Steps done, of a milestone */
            done_step_ids: string[];
            /**
             * @description 0 to 10, as the latest check-in has it
             * @example 7
             */
            confidence?: number;
            /**
             * Format: date-time
             * @description The time the latest check-in stands at
             * @example 2026-11-29T09:30:00Z
             */
            checked_in_at?: string;
        };
        /** @description A step of a milestone. */
        Step: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description What is done then
             * @example 設計レビュー
             */
            title: string;
            weight: components["schemas"]["Weight"];
        };
        /** @description A key result to write. metric: baseline, target, optionally stretch. threshold: at_least, at_most or both, optionally tolerance. milestone: steps. */
        KeyResultInput: {
            /**
             * Format: uuid
             * @description Which one to change; left out for a new one
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id?: string;
            /**
             * @description What is measured
             * @example NPS
             */
            title: string;
            /**
             * @description How and where it is measured
             * @example 四半期アンケートの平均
             */
            description?: string;
            /**
             * Format: uuid
             * @description Who checks in; the objective's owner if left out
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            owner_id?: string;
            kind: components["schemas"]["KeyResultKind"];
            /**
             * @description What it is counted in
             * @example points
             */
            unit?: string;
            baseline?: components["schemas"]["Decimal"];
            target?: components["schemas"]["Decimal"];
            stretch?: components["schemas"]["Decimal"];
            at_least?: components["schemas"]["Decimal"];
            at_most?: components["schemas"]["Decimal"];
            tolerance?: components["schemas"]["Decimal"];
            /** @description Of a milestone */
            steps?: components["schemas"]["StepInput"][];
            weight?: components["schemas"]["Weight"];
        };
        /** @description A step of a milestone to write. */
        StepInput: {
            /**
             * Format: uuid
             * @description Which one to change; left out for a new one
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id?: string;
            /**
             * @description What is done then
             * @example Design review
             */
            title: string;
            weight?: components["schemas"]["Weight"];
        };
        /** @description A new draft. */
        ObjectiveCreate: {
            /**
             * Format: uuid
             * @description Its cycle
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            cycle_id: string;
            /**
             * Format: uuid
             * @description Its team
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            team_id?: string;
            /**
             * Format: uuid
             * @description Its owner; whoever drafts it if left out
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            owner_id?: string;
            /**
             * Format: uuid
             * @description What it contributes to
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            parent_objective_id?: string;
            /**
             * Format: uuid
             * @description Which key result of it
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            parent_key_result_id?: string;
            /**
             * @description What is to be reached
             * @example Customers stay because support answers first
             */
            title: string;
            /**
             * @description Why
             * @example Half of those who left named slow answers.
             */
            description?: string;
            kind?: components["schemas"]["ObjectiveKind"];
            visibility?: components["schemas"]["Visibility"];
            /** @description In their order */
            key_results?: components["schemas"]["KeyResultInput"][];
        };
        /** @description What to change. What is left out stays. */
        ObjectivePatch: {
            revision?: components["schemas"]["Revision"];
            /**
             * Format: uuid
             * @description Its team; null for none
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            team_id?: string | null;
            /**
             * Format: uuid
             * @description Its owner
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            owner_id?: string;
            /**
             * Format: uuid
             * @description What it contributes to; null for nothing. Takes parent_key_result_id with it
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            parent_objective_id?: string | null;
            /**
             * Format: uuid
             * @description Which key result of the parent; null for the parent as a whole
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            parent_key_result_id?: string | null;
            /**
             * @description What is to be reached
             * @example Customers stay because support answers first
             */
            title?: string;
            /**
             * @description Why, and what it would look like; null for none
             * @example Half of those who left named slow answers.
             */
            description?: string | null;
            kind?: components["schemas"]["ObjectiveKind"];
            visibility?: components["schemas"]["Visibility"];
            /** @description The whole list in its order */
            key_results?: components["schemas"]["KeyResultInput"][];
        };
        /** @description From which revision, and what goes with it. */
        ObjectiveMove: {
            revision?: components["schemas"]["Revision"];
            /**
             * @description Why; needed to return, and to close with another score than suggested or a committed objective below 1
             * @example 目標値の根拠を追記してください。
             */
            note?: string;
            /**
             * @description close: 0.0 to 1.0
             * @example 0.7
             */
            score?: string;
        };
        /** @description One revision of an objective. */
        HistoryEntry: {
            revision: components["schemas"]["Revision"];
            /**
             * @description What led to it
             * @example objective.updated
             */
            action: string;
            /**
             * @description What was said with it
             * @example 目標値の根拠を追記してください。
             */
            note?: string;
            content: components["schemas"]["ObjectiveContent"];
            /** @description What it changed of the revision before, field by field; empty for the first */
            changes: components["schemas"]["HistoryChange"][];
            /**
             * Format: date-time
             * @description When
             * @example 2026-11-29T09:30:00Z
             */
            changed_at: string;
            changed_by: components["schemas"]["Person"];
        };
        /**
         * @description The whole content of an objective at one revision.
         * @example {
         *       "title": "お客さまに選ばれ続けるサービスになる",
         *       "state": "draft",
         *       "key_results": []
         *     }
         */
        ObjectiveContent: {
            [key: string]: unknown;
        };
        /** @description A page of revisions. */
        HistoryPage: {
            /** @description Revisions */
            items: components["schemas"]["HistoryEntry"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description What to say. */
        TextCreate: {
            /**
             * @description The text
             * @example 解約率を5%から3%に下げたい。
             */
            body: string;
        };
        /** @description A comment. */
        Comment: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            author: components["schemas"]["Person"];
            /**
             * @description The text; empty where it was deleted
             * @example 今週は改善が見えてきました。
             */
            body: string;
            /**
             * @description Its words are not the first ones
             * @example false
             */
            edited: boolean;
            /**
             * @description Its words are gone, its place stays
             * @example false
             */
            deleted: boolean;
            /** @description Whom it mentions and who is not told of it, in answers to writing it: they may not see the objective, are no active members, or come after the twentieth */
            unreached?: string[];
            revision: components["schemas"]["Revision"];
            /**
             * Format: date-time
             * @description When it was written
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last
             * @example 2026-11-29T09:30:00Z
             */
            changed_at: string;
        };
        /** @description A page of comments. */
        CommentPage: {
            /** @description Comments */
            items: components["schemas"]["Comment"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description Where it stands. `value` for metric and threshold, `done_step_ids` for milestone. */
        CheckInCreate: {
            value?: components["schemas"]["Decimal"];
            /** @description All steps done by now */
            done_step_ids?: string[];
            /**
             * @description How sure one is to reach it
             * @example 7
             */
            confidence: number;
            /**
             * @description What happened
             * @example 新しい一次回答フローが定着してきた。
             */
            note?: string;
            /**
             * Format: uuid
             * @description The check-in that this one puts right
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            corrects_id?: string;
            /**
             * Format: uuid
             * @description The meeting that it is made in, which one attends
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            occurrence_id?: string;
        };
        /** @description A check-in. It is never changed; a mistake is put right by another one. */
        CheckIn: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * Format: uuid
             * @description Of which key result
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            key_result_id: string;
            value?: components["schemas"]["Decimal"];
            /** @description Steps done by then, of a milestone */
            done_step_ids: string[];
            /**
             * @description Raw, by the definition of that time
             * @example 0.6667
             */
            progress: string;
            /**
             * @description For display
             * @example 67
             */
            percent: number;
            /**
             * @description 0 to 10
             * @example 7
             */
            confidence: number;
            /**
             * @description What happened
             * @example 新しい一次回答フローが定着してきた。
             */
            note?: string;
            /**
             * Format: uuid
             * @description The check-in that this one puts right
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            corrects_id?: string;
            /**
             * Format: uuid
             * @description The check-in that puts this one right
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            corrected_by_id?: string;
            /**
             * Format: date-time
             * @description The time it stands at
             * @example 2026-11-29T09:30:00Z
             */
            checked_at: string;
            /**
             * Format: date-time
             * @description When it was written
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
            author: components["schemas"]["Person"];
        };
        /** @description A page of check-ins. */
        CheckInPage: {
            /** @description Check-ins */
            items: components["schemas"]["CheckIn"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description A new dialogue. */
        DialogueCreate: {
            /**
             * @description What it is about
             * @example 指標を一緒に考える
             */
            title: string;
        };
        /** @description A conversation of members and the coach about one objective. */
        Dialogue: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * Format: uuid
             * @description About which objective
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            objective_id: string;
            /**
             * @description What it is about
             * @example 指標を一緒に考える
             */
            title: string;
            opened_by: components["schemas"]["Person"];
            /**
             * Format: date-time
             * @description When it was opened
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
        };
        /** @description A page of dialogues. */
        DialoguePage: {
            /** @description Dialogues */
            items: components["schemas"]["Dialogue"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description A turn of a dialogue: a member's (`author`) or the coach's (`source`). */
        Message: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            author?: components["schemas"]["Person"];
            /**
             * @description Which rule set or model the coach's answer came from
             * @example rules
             */
            source?: string;
            /**
             * Format: uuid
             * @description The job that the coach answered
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            job_id?: string;
            /**
             * Format: int64
             * @description The revision that the coach spoke of
             * @example 7
             */
            objective_revision?: number;
            /**
             * @description The text
             * @example 解約率を5%から3%に下げたい。
             */
            body: string;
            /** @description Single remarks, of feedback */
            findings: components["schemas"]["Finding"][];
            /**
             * Format: date-time
             * @description When it was written
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
        };
        /** @description A page of messages. */
        MessagePage: {
            /** @description Messages */
            items: components["schemas"]["Message"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description One remark of the coach. */
        Finding: {
            /**
             * @description Stable name of what was looked at
             * @example key-result-has-baseline
             */
            check: string;
            /**
             * @description How much it matters
             * @example problem
             * @enum {string}
             */
            severity: "problem" | "advice" | "praise";
            /**
             * @description JSON pointer into the objective; empty for the whole
             * @example /key_results/0/target
             */
            pointer: string;
            /**
             * @description Why it matters
             * @example 現在値がないと、どれだけ進んだかが分かりません。
             */
            reason: string;
            /**
             * @description How it could be; empty where nothing is to be mended
             * @example NPSを30から45に上げる
             */
            better: string;
        };
        /** @description What to ask the coach for. */
        JobCreate: {
            kind: components["schemas"]["JobKind"];
            /**
             * @description Said in the dialogue first
             * @example 解約率を5%から3%に下げたい。
             */
            message?: string;
            coach?: components["schemas"]["CoachKind"];
        };
        /**
         * @description draft turns what was said into key results; feedback says what is good and weak
         * @example draft
         * @enum {string}
         */
        JobKind: "draft" | "feedback";
        /** @description A question to the coach, and how far it is. */
        Job: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            kind: components["schemas"]["JobKind"];
            state: components["schemas"]["JobState"];
            coach: components["schemas"]["CoachKind"];
            /**
             * Format: uuid
             * @description About which objective
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            objective_id: string;
            /**
             * Format: uuid
             * @description In which dialogue
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            dialogue_id: string;
            /**
             * @description How many times a worker has begun
             * @example 1
             */
            attempt: number;
            /**
             * @description Stable name of what went wrong last
             * @example provider-unavailable
             */
            failure?: string;
            /**
             * Format: date-time
             * @description When it was asked for
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When a worker first began
             * @example 2026-11-29T09:30:01Z
             */
            started_at?: string;
            /**
             * Format: date-time
             * @description When it ended
             * @example 2026-11-29T09:30:04Z
             */
            finished_at?: string;
        };
        /** @description A page of jobs. */
        JobPage: {
            /** @description Jobs */
            items: components["schemas"]["Job"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /**
         * @description superseded: the objective moved on before anyone decided
         * @example open
         * @enum {string}
         */
        SuggestionState: "open" | "accepted" | "rejected" | "superseded";
        /** @description A change that the coach proposes to one revision of an objective. */
        Suggestion: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * Format: uuid
             * @description To which objective
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            objective_id: string;
            /**
             * Format: int64
             * @description The revision it was made for
             * @example 7
             */
            objective_revision: number;
            /**
             * Format: uuid
             * @description In which dialogue
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            dialogue_id: string;
            /**
             * Format: uuid
             * @description The coach's message that explains it
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            message_id: string;
            /**
             * @description Which rule set or model it came from
             * @example rules
             */
            source: string;
            content: components["schemas"]["SuggestionContent"];
            state: components["schemas"]["SuggestionState"];
            decided_by?: components["schemas"]["Person"];
            /**
             * Format: date-time
             * @description When it was decided or superseded
             * @example 2026-11-29T09:30:00Z
             */
            decided_at?: string;
            /**
             * @description What was said with the decision
             * @example 目標値は高すぎる。
             */
            note?: string;
            /**
             * Format: date-time
             * @description When it was made
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
        };
        /**
         * @description What would change: `title`, `description`, and `key_results` (those with an `id` change that one, those without are new, those not named stay).
         * @example {
         *       "key_results": [
         *         {
         *           "title": "解約率",
         *           "kind": "metric",
         *           "unit": "%",
         *           "baseline": "5",
         *           "target": "3"
         *         }
         *       ]
         *     }
         */
        SuggestionContent: {
            [key: string]: unknown;
        };
        /** @description A page of suggestions. */
        SuggestionPage: {
            /** @description Suggestions */
            items: components["schemas"]["Suggestion"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description What goes with the decision. */
        SuggestionDecision: {
            /**
             * @description Why
             * @example 目標値は高すぎる。
             */
            note?: string;
        };
        /** @description What goes with accepting it. */
        SuggestionAcceptance: {
            /**
             * @description Why
             * @example 目標値は75%にしました。
             */
            note?: string;
            take?: components["schemas"]["SuggestionTaken"];
        };
        /** @description What of a suggestion is taken over, as it was suggested or edited. What is left out stays as it is in the objective. */
        SuggestionTaken: {
            /**
             * @description What is to be reached
             * @example お客さまに選ばれ続けるサービスになる
             */
            title?: string;
            /**
             * @description Why, and what it would look like; empty for none
             * @example 解約の理由の半分が初回対応の遅れにある。
             */
            description?: string;
            /** @description Those with an `id` change that one, those without are new, those not named stay */
            key_results?: components["schemas"]["KeyResultInput"][];
        };
        /** @description Something that was done. */
        AuditEvent: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description What
             * @example objective.updated
             */
            action: string;
            /**
             * @description To what kind of thing
             * @example objective
             */
            target_kind: string;
            /**
             * Format: uuid
             * @description To which
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            target_id: string;
            /**
             * Format: int64
             * @description The revision it led to
             * @example 8
             */
            target_revision?: number;
            actor?: components["schemas"]["Person"];
            /**
             * @description What else is worth keeping
             * @example {
             *       "self_approval": true
             *     }
             */
            detail: {
                [key: string]: unknown;
            };
            /**
             * @description The request it was done by
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            request_id?: string;
            /**
             * @description From where
             * @example 203.0.113.7
             */
            address?: string;
            /**
             * Format: date-time
             * @description When
             * @example 2026-11-29T09:30:00Z
             */
            happened_at: string;
        };
        /** @description A page of the audit. */
        AuditEventPage: {
            /** @description Events */
            items: components["schemas"]["AuditEvent"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description A file of `kakeai org export`: one row to a line, in the columns of the tables. */
        OrganizationFile: {
            /**
             * @description What it is
             * @example kakeai organization
             * @enum {string}
             */
            format: "kakeai organization";
            /**
             * @description Of the format
             * @example 1
             * @enum {integer}
             */
            version: 1;
            /**
             * Format: migration
             * @description The newest migration of the database that it comes from
             * @example 20261129000004
             */
            migration: string;
            /**
             * Format: schema
             * @description The hash of that database's migrations
             * @example 0123456789abcdef
             */
            schema: string;
            /** @description Its own row */
            organization: Record<string, never>;
            /** @description The members as people */
            users: Record<string, never>[];
            /** @description Their memberships */
            memberships: Record<string, never>[];
            /** @description Teams, each with its members */
            teams: Record<string, never>[];
            /** @description Cycles */
            cycles: Record<string, never>[];
            /** @description Objectives, each with its key results and their steps */
            objectives: Record<string, never>[];
            /** @description Check-ins */
            check_ins: Record<string, never>[];
            /** @description The content of each revision of each objective */
            objective_history: Record<string, never>[];
            /** @description Comments */
            comments: Record<string, never>[];
            /** @description Dialogues */
            dialogues: Record<string, never>[];
            /** @description The coach's jobs that have ended */
            jobs: Record<string, never>[];
            /** @description Messages */
            messages: Record<string, never>[];
            /** @description Suggestions */
            suggestions: Record<string, never>[];
            /** @description The audit */
            audit_events: Record<string, never>[];
            /**
             * Format: sha256
             * @description SHA-256 of all bytes before it; last, or left out
             * @example e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
             */
            sha256?: string;
        };
        /** @description What came of a change of the whole organisation. */
        OrganizationChange: {
            revision: components["schemas"]["Revision"];
            /** @description What was written; nothing if the organisation was as the file says */
            changed: components["schemas"]["ChangedThing"][];
        };
        /** @description One thing that was changed as a whole. */
        ChangedThing: {
            /**
             * @description What it is
             * @example objective
             * @enum {string}
             */
            kind: "organization" | "member" | "team" | "cycle" | "objective";
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
        };
        /** @description What the organisation has settled on. */
        OrganizationSettings: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description Its name
             * @example みなと製作所
             */
            name: string;
            locale: components["schemas"]["Locale"];
            /**
             * @description The time zone its days are counted in
             * @example Asia/Tokyo
             */
            time_zone: string;
            cadence: components["schemas"]["Cadence"];
            /**
             * @description Days after a cycle's end in which check-ins are still taken
             * @example 7
             */
            grace_days: number;
            /**
             * @description A model may be asked; otherwise the rules coach answers everything, and no text leaves for a model
             * @example true
             */
            ai_enabled: boolean;
            /**
             * Format: int64
             * @description How many tokens models may take in a calendar month; null for no bound
             * @example 5000000
             */
            ai_monthly_tokens: number | null;
            revision: components["schemas"]["Revision"];
            /**
             * Format: date-time
             * @description When it was changed last
             * @example 2026-11-29T09:30:00Z
             */
            changed_at: string;
        };
        /** @description What to change. */
        OrganizationPatch: {
            revision?: components["schemas"]["Revision"];
            /**
             * @description Its name
             * @example みなと製作所
             */
            name?: string;
            locale?: components["schemas"]["Locale"];
            /**
             * @description IANA name of the time zone its days are counted in
             * @example Asia/Tokyo
             */
            time_zone?: string;
            cadence?: components["schemas"]["Cadence"];
            /**
             * @description Days after a cycle's end in which check-ins are still taken
             * @example 7
             */
            grace_days?: number;
            /**
             * @description A model may be asked; otherwise the rules coach answers everything, and no text leaves for a model
             * @example true
             */
            ai_enabled?: boolean;
            /**
             * Format: int64
             * @description How many tokens models may take in a calendar month; null for no bound
             * @example 5000000
             */
            ai_monthly_tokens?: number | null;
        };
        /**
         * @description How often to check in
         * @example weekly
         * @enum {string}
         */
        Cadence: "weekly" | "biweekly" | "monthly";
        /**
         * @description model: the one that is configured, or the rules coach where there is none; rules: fixed rules, which take no tokens and are always there
         * @example model
         * @enum {string}
         */
        CoachKind: "model" | "rules";
        /** @description Which coach answers, and what is left of the month's tokens. */
        AIBudget: {
            /**
             * @description A model may be asked
             * @example true
             */
            enabled: boolean;
            /**
             * @description The model that this server was told of; null where it knows of none
             * @example gpt-5-mini
             */
            model: string | null;
            /**
             * @description Which model took tokens last this month
             * @example gpt-5-mini
             */
            answered_last: string | null;
            /**
             * Format: date
             * @description The month's first day, in the organisation's time zone
             * @example 2026-11-01
             */
            month: string;
            /**
             * Format: date
             * @description The day on which the next month begins
             * @example 2026-12-01
             */
            begins_anew_on: string;
            /**
             * Format: int64
             * @description The month's bound; null for none
             * @example 5000000
             */
            monthly_tokens: number | null;
            /**
             * Format: int64
             * @description Taken this month by what was asked, as the model's server counts
             * @example 120000
             */
            input_tokens: number;
            /**
             * Format: int64
             * @description Taken by what was answered
             * @example 30000
             */
            output_tokens: number;
            /**
             * Format: int64
             * @description Both together
             * @example 150000
             */
            used_tokens: number;
            /**
             * Format: int64
             * @description Kept for what models have been asked and have not answered yet
             * @example 20000
             */
            held_tokens: number;
            /**
             * Format: int64
             * @description What neither is used nor held; null without a bound
             * @example 4830000
             */
            left_tokens: number | null;
            /**
             * Format: int64
             * @description What is held for one question
             * @example 20000
             */
            call_tokens: number;
            /**
             * Format: int64
             * @description How often a model was asked this month
             * @example 42
             */
            calls: number;
            /**
             * @description Another question to a model would be refused, as `ai-budget-exhausted`
             * @example false
             */
            exhausted: boolean;
        };
        /**
         * @description Why one is notified
         * @example review-requested
         * @enum {string}
         */
        NotificationKind: "mentioned" | "commented" | "review-requested" | "returned" | "approved" | "revised" | "objective-closed" | "reopened" | "assigned" | "team-joined" | "check-in-due" | "outdated" | "broadcast" | "meeting-invited" | "meeting-changed" | "meeting-cancelled" | "meeting-soon" | "survey-open" | "follow-up-assigned" | "webhook-disabled";
        /** @description Something that one should know. */
        Notification: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * Format: uuid
             * @description New each time that more joins it; what is marked as read names the one that was seen
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            latest_id: string;
            kind: components["schemas"]["NotificationKind"];
            /**
             * @description What it is about
             * @example objective
             * @enum {string}
             */
            subject_kind: "objective" | "key_result" | "cycle" | "team" | "dialogue" | "broadcast" | "occurrence" | "follow_up" | "member" | "webhook";
            /**
             * Format: uuid
             * @description Which one
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            subject_id: string;
            /**
             * @description What that is called
             * @example お客さまに選ばれ続ける
             */
            title: string;
            actor?: components["schemas"]["Person"];
            /**
             * @description What was said, shortened
             * @example 先週の数字を入れておきました。
             */
            excerpt?: string;
            /**
             * @description The page it is about
             * @example /objectives/0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            path: string;
            /**
             * @description How many of the same have joined while it was unread, itself included
             * @example 1
             */
            occurrences: number;
            /**
             * @description Whether one has read it
             * @example false
             */
            read: boolean;
            /**
             * Format: date-time
             * @description When the first of them came
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the last of them came
             * @example 2026-11-29T09:30:00Z
             */
            changed_at: string;
        };
        /** @description A page of notifications. */
        NotificationPage: {
            /** @description Notifications */
            items: components["schemas"]["Notification"][];
            next_cursor?: components["schemas"]["NextCursor"];
            seen: components["schemas"]["Seen"];
        };
        /**
         * @description Stands for everything that was in the inbox when the page was answered, to mark it as read
         * @example AQYAAAGT8KH8…
         */
        Seen: string;
        /** @description What to mark: exactly one of the two. */
        NotificationsRead: {
            /** @description Single ones */
            items?: components["schemas"]["SeenNotification"][];
            seen?: components["schemas"]["Seen"];
        };
        /** @description A notification as it was seen. */
        SeenNotification: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * Format: uuid
             * @description Its latest_id then
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            latest_id: string;
        };
        /** @description What came of marking. */
        NotificationsMarked: {
            /**
             * @description How many were unread and are read now
             * @example 3
             */
            marked: number;
            unread: components["schemas"]["UnreadCount"];
        };
        /** @description How many are unread. */
        UnreadCount: {
            /**
             * @description Exact up to 99
             * @example 3
             */
            count: number;
            /**
             * @description There are more than that
             * @example false
             */
            more: boolean;
        };
        /** @description How much is owed. */
        OwedCount: {
            /**
             * @description Exact up to 200
             * @example 2
             */
            count: number;
            /**
             * @description There is more than that
             * @example false
             */
            more: boolean;
        };
        /** @description The numbers beside the bell. */
        NotificationSummary: {
            unread: components["schemas"]["UnreadCount"];
            owed: components["schemas"]["OwedCount"];
        };
        /**
         * @description By mail at once, in the next digest, or not at all
         * @example digest
         * @enum {string}
         */
        MailDelivery: "immediate" | "digest" | "off";
        /** @description How one is told of one kind. */
        NotificationPreference: {
            kind: components["schemas"]["NotificationKind"];
            /**
             * @description Whether it is in the inbox
             * @example true
             */
            inbox: boolean;
            mail: components["schemas"]["MailDelivery"];
        };
        /** @description How one is told of one kind, and how that is by default. */
        NotificationPreferenceShown: {
            kind: components["schemas"]["NotificationKind"];
            /**
             * @description Whether it is in the inbox
             * @example true
             */
            inbox: boolean;
            mail: components["schemas"]["MailDelivery"];
            /**
             * @description Whether it is by default
             * @example true
             */
            default_inbox: boolean;
            default_mail: components["schemas"]["MailDelivery"];
        };
        /** @description How one is told of what. */
        NotificationPreferences: {
            /** @description Every kind, once */
            items: components["schemas"]["NotificationPreferenceShown"][];
        };
        /** @description What one chooses. */
        NotificationPreferencesPut: {
            /** @description Kinds, each at most once */
            items: components["schemas"]["NotificationPreference"][];
        };
        /**
         * @description A draft that was never submitted or was given back, a review, a check-in, a survey to answer, a follow-up of a meeting
         * @example check-in
         * @enum {string}
         */
        OwedKind: "draft" | "returned-draft" | "review" | "check-in" | "survey" | "follow-up";
        /** @description One thing that one has to do. */
        Owed: {
            kind: components["schemas"]["OwedKind"];
            /**
             * Format: uuid
             * @description The objective, key result, occurrence or follow-up
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description What that is called
             * @example NPS
             */
            title: string;
            /**
             * @description The objective of a key result
             * @example お客さまに選ばれ続ける
             */
            objective_title?: string;
            /**
             * @description Where it is done
             * @example /objectives/0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            path: string;
            /**
             * Format: date
             * @description The day by which it is to be done, or since when somebody waits for it; absent for a follow-up without one
             * @example 2026-12-01
             */
            due_on?: string;
            /**
             * Format: date-time
             * @description Of a survey: when the meeting begins
             * @example 2026-12-01T01:00:00Z
             */
            due_at?: string;
        };
        /** @description What one owes. */
        OwedList: {
            /** @description The earliest due first, what has no day last */
            items: components["schemas"]["Owed"][];
            /**
             * @description How many items there are
             * @example 2
             */
            count: number;
            /**
             * @description Whether there are more than these
             * @example false
             */
            more: boolean;
        };
        /** @description Something that happened to an objective. */
        FeedEntry: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * Format: uuid
             * @description Which objective
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            objective_id: string;
            /**
             * @description What it is called now
             * @example お客さまに選ばれ続ける
             */
            title: string;
            /**
             * @description What happened, as the audit names it
             * @example objective.approved
             */
            action: string;
            actor?: components["schemas"]["Person"];
            /** @description Ids of what it is about: `comment_id`, `check_in_id`, `corrects_id`, `key_result_id`, `suggestion_id`; and the `revision` it led to */
            detail: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it happened
             * @example 2026-11-29T09:30:00Z
             */
            happened_at: string;
        };
        /** @description A page of the feed. */
        FeedPage: {
            /** @description Entries */
            items: components["schemas"]["FeedEntry"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description What a member wants to be sent by mail. */
        MailSettings: {
            digest: components["schemas"]["DigestRhythm"];
            /**
             * @description False after unsubscribing: then no mail is sent at all, invitations to meetings included; the inbox goes on
             * @example true
             */
            subscribed: boolean;
            /**
             * Format: date-time
             * @description When they unsubscribed; absent if they have not
             * @example 2026-11-30T00:00:00Z
             */
            unsubscribed_at?: string;
        };
        /** @description What is to change. */
        MailSettingsPatch: {
            digest?: components["schemas"]["DigestRhythm"];
            /**
             * @description False ends all mail, true begins it again
             * @example false
             */
            subscribed?: boolean;
        };
        /**
         * @description When what has gathered is sent: each morning, on Monday mornings, or not
         * @example weekly
         * @enum {string}
         */
        DigestRhythm: "daily" | "weekly" | "off";
        /**
         * @description A language
         * @example ja
         * @enum {string}
         */
        Locale: "ja" | "en";
        /**
         * @description expired: still there to be sent again
         * @example open
         * @enum {string}
         */
        InvitationState: "open" | "expired" | "accepted" | "revoked";
        /**
         * @description What has become of the latest mail; uncertain: nobody can know; unwanted: there is no mail server, or it was over before
         * @example sent
         * @enum {string}
         */
        InvitationMail: "waiting" | "sending" | "sent" | "failed" | "uncertain" | "unwanted";
        /** @description Somebody who was asked to join. */
        Invitation: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description The e-mail address
             * @example aoi@example.com
             */
            email: string;
            role: components["schemas"]["Role"];
            /** @description Teams to join; those that are gone by then are left out */
            team_ids: string[];
            state: components["schemas"]["InvitationState"];
            /** @description What has become of the latest mail; null when that is no longer kept */
            mail: components["schemas"]["InvitationMail"] | null;
            /**
             * @description How often it was sent, at most 5
             * @example 1
             */
            sendings: number;
            invited_by: components["schemas"]["Person"];
            /**
             * Format: date-time
             * @description When it was made
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was sent last
             * @example 2026-11-29T09:30:00Z
             */
            sent_at: string;
            /**
             * Format: date-time
             * @description Until when the link holds
             * @example 2026-12-06T09:30:00Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was accepted or revoked
             * @example 2026-11-30T09:30:00Z
             */
            ended_at: string | null;
        };
        /** @description A page of invitations. */
        InvitationPage: {
            /** @description Invitations */
            items: components["schemas"]["Invitation"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description Somebody to invite. */
        InvitationCreate: {
            /**
             * @description E-mail address; upper and lower case are alike
             * @example aoi@example.com
             */
            email: string;
            /**
             * @description Not above one's own
             * @default member
             */
            role?: components["schemas"]["Role"];
            /** @description Teams to join */
            team_ids?: string[];
        };
        /** @description Whom to invite. */
        InvitationsCreate: {
            /** @description A row for each */
            invitations: components["schemas"]["InvitationCreate"][];
            /**
             * @description For how many days the links hold
             * @default 7
             * @example 7
             */
            days?: number;
        };
        /**
         * @description What became of a row. suspended-member: let them back instead. repeated: the address stands in an earlier row. unknown-team: no team that is there and not archived
         * @example invited
         * @enum {string}
         */
        InvitationOutcome: "invited" | "already-invited" | "already-member" | "suspended-member" | "invalid-address" | "role-above-own" | "unknown-team" | "repeated";
        /** @description What became of one row. */
        InvitationResult: {
            /**
             * @description The e-mail address as it was understood
             * @example aoi@example.com
             */
            email: string;
            outcome: components["schemas"]["InvitationOutcome"];
            /**
             * Format: uuid
             * @description The invitation that was made, or that is open already; null for none
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            invitation_id: string | null;
        };
        /** @description What became of each row. */
        InvitationResults: {
            /**
             * @description How many invitations were made
             * @example 1
             */
            invited: number;
            /** @description In the order of the rows */
            results: components["schemas"]["InvitationResult"][];
        };
        /** @description The secret of a link. */
        InvitationToken: {
            /**
             * @description What stands behind the # of the link
             * @example kki_AZPwoXwefTqfEAxbPx8qdw
             */
            token: string;
        };
        /** @description What an invitation is about, for whoever has its link. */
        InvitationView: {
            /**
             * @description What the organisation is called
             * @example みなと製作所
             */
            organization: string;
            /**
             * @description Who invites
             * @example 高橋 美咲
             */
            inviter: string;
            /**
             * @description Who is invited
             * @example aoi@example.com
             */
            email: string;
            role: components["schemas"]["Role"];
            /**
             * Format: date-time
             * @description Until when the link holds
             * @example 2026-12-06T09:30:00Z
             */
            expires_at: string;
            /**
             * @description There is an account with this address, so no name and no password are asked for
             * @example false
             */
            has_account: boolean;
            locale: components["schemas"]["Locale"];
            /**
             * @description The organisation's, to begin with
             * @example Asia/Tokyo
             */
            time_zone: string;
        };
        /** @description Whoever joins. All but the token is for a new account, and not looked at where there is one. */
        InvitationAccept: {
            /**
             * @description What stands behind the # of the link
             * @example kki_AZPwoXwefTqfEAxbPx8qdw
             */
            token: string;
            /**
             * @description What one is called
             * @example 佐藤 葵
             */
            name?: string;
            /**
             * @description At least 10 characters
             * @example correct horse battery staple
             */
            password?: string;
            locale?: components["schemas"]["Locale"];
            /**
             * @description IANA name; the organisation's if left out
             * @example Asia/Tokyo
             */
            time_zone?: string;
        };
        /** @description Who has joined where. */
        InvitationAccepted: {
            /**
             * Format: uuid
             * @description The organisation
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            organization_id: string;
            /**
             * @description What it is called
             * @example みなと製作所
             */
            organization: string;
            /**
             * @description What one signs in with
             * @example aoi@example.com
             */
            email: string;
            /**
             * @description The account was made by this
             * @example true
             */
            new_account: boolean;
        };
        /** @description One's own account, which is the same in all of one's organisations. */
        Account: {
            /**
             * Format: uuid
             * @description One's own id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description What one is called
             * @example 佐藤 葵
             */
            name: string;
            /**
             * @description What one signs in with
             * @example aoi@example.com
             */
            email: string;
            locale: components["schemas"]["Locale"];
            /**
             * @description IANA name of the time zone of mails and reminders
             * @example Asia/Tokyo
             */
            time_zone: string;
            /**
             * @description Signs in with a password
             * @example true
             */
            has_password: boolean;
        };
        /** @description What to change. */
        AccountPatch: {
            /**
             * @description What one is called
             * @example 佐藤 葵
             */
            name?: string;
            locale?: components["schemas"]["Locale"];
            /**
             * @description IANA name of a time zone
             * @example Asia/Tokyo
             */
            time_zone?: string;
        };
        /** @description The password until now and from now on. */
        PasswordChange: {
            /**
             * @description The password until now
             * @example correct horse battery staple
             */
            present_password: string;
            /**
             * @description At least 10 characters
             * @example four words that nobody guesses
             */
            new_password: string;
        };
        /** @description The proof. */
        SessionConfirmation: {
            /**
             * @description The account's password
             * @example correct horse battery staple
             */
            present_password: string;
        };
        /** @description Somebody, as an identity provider knows them. */
        Identity: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description What the provider is called
             * @example Example ID
             */
            provider: string;
            /**
             * @description The provider's issuer, by OpenID Connect
             * @example https://id.example.com
             */
            issuer: string;
            /**
             * @description What the provider calls them: an e-mail address, a user's name or, where it has not said any, the subject
             * @example aoi@example.com
             */
            shown_as: string;
            /**
             * @description Whether one can sign in with it at present: the provider is the one that is configured
             * @example true
             */
            opens: boolean;
            /**
             * Format: date-time
             * @description Since when one signs in with it
             * @example 2026-11-29T09:30:00Z
             */
            linked_at: string;
            /**
             * Format: date-time
             * @description When it was shown last
             * @example 2026-11-29T09:30:00Z
             */
            last_used_at: string;
        };
        /** @description What opens an account. `linkable` is the provider at which one may add an identity; absent where none is configured, or one has one there. */
        Identities: {
            /** @description The identities */
            items: components["schemas"]["Identity"][];
            /**
             * @description Whether one signs in with a password too
             * @example true
             */
            has_password: boolean;
            linkable?: components["schemas"]["SignInProvider"];
        };
        /** @description Where to go to show an identity. */
        IdentityLink: {
            /**
             * @description The provider's page
             * @example https://id.example.com/authorize?client_id=…
             */
            location: string;
        };
        /**
         * @description Whether the token only reads, or does what its member may
         * @example read
         * @enum {string}
         */
        TokenScope: "read" | "write";
        /** @description A token for another program. */
        Token: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description What its member calls it
             * @example Nightly report
             */
            name: string;
            scope: components["schemas"]["TokenScope"];
            member: components["schemas"]["Person"];
            /**
             * Format: date-time
             * @description When it was made
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends by itself
             * @example 2027-02-27T09:30:00Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was last used, to about five minutes; absent while it was not
             * @example 2026-11-30T08:05:12Z
             */
            last_used_at?: string;
            /**
             * @description From which network address that was
             * @example 203.0.113.7
             */
            last_used_from?: string;
        };
        /** @description A page of tokens. */
        TokenPage: {
            /** @description Tokens */
            items: components["schemas"]["Token"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description A new token. */
        TokenCreate: {
            /**
             * @description What it is for, so that one knows it again
             * @example Nightly report
             */
            name: string;
            scope: components["schemas"]["TokenScope"];
            /**
             * @description After how many days it ends
             * @default 90
             * @example 90
             */
            days?: number;
        };
        /** @description A token with what other programs send. */
        TokenWithSecret: {
            token: components["schemas"]["Token"];
            /**
             * @description For `Authorization: Bearer`; shown this once
             * @example kkt_AZPwoXwefTqfEAxbPx8qd…
             */
            secret: string;
        };
        /**
         * @description draft and scheduled can still be changed; cancelled: taken back, perhaps after it had reached some
         * @example draft
         * @enum {string}
         */
        BroadcastState: "draft" | "scheduled" | "sending" | "sent" | "cancelled";
        /**
         * @description waiting: a mail is on its way; uncertain: a mail server may have it or not, and nobody can know
         * @example delivered
         * @enum {string}
         */
        BroadcastDeliveryState: "waiting" | "delivered" | "failed" | "uncertain";
        /** @description Whom it is for, when it is sent. */
        BroadcastAudience: {
            /**
             * @description Everybody, the members of teams, or members by name
             * @example teams
             * @enum {string}
             */
            kind: "organization" | "teams" | "people";
            /** @description With `teams`: which */
            team_ids?: string[];
            /** @description With `people`: who */
            member_ids?: string[];
        };
        /** @description A new draft. */
        BroadcastCreate: {
            /**
             * @description What it is about
             * @example 来期のOKRづくりを始めます
             */
            title: string;
            /**
             * @description What it says; plain text
             * @example 12月10日までに下書きを書いてください。
             */
            body: string;
            audience: components["schemas"]["BroadcastAudience"];
            /**
             * @description Also by mail, to those who want such mail at once
             * @default true
             * @example true
             */
            by_mail?: boolean;
        };
        /** @description The fields to change; `audience` is replaced as a whole. */
        BroadcastPatch: {
            revision?: components["schemas"]["Revision"];
            /**
             * @description What it is about
             * @example 来期のOKRづくりを始めます
             */
            title?: string;
            /**
             * @description What it says; plain text
             * @example 12月10日までに下書きを書いてください。
             */
            body?: string;
            audience?: components["schemas"]["BroadcastAudience"];
            /**
             * @description Also by mail, to those who want such mail at once
             * @example true
             */
            by_mail?: boolean;
        };
        /** @description What is acted on. */
        BroadcastMove: {
            revision?: components["schemas"]["Revision"];
        };
        /** @description When it is to be sent. */
        BroadcastSchedule: {
            revision?: components["schemas"]["Revision"];
            /**
             * Format: date-time
             * @description A moment, with its offset from UTC: so it is one also where the clock shows an hour twice
             * @example 2026-12-01T09:00:00+09:00
             */
            scheduled_at: string;
        };
        /** @description Whom to send to again. */
        BroadcastResend: {
            revision?: components["schemas"]["Revision"];
            /** @description Of those who are `uncertain`, whom to risk sending it twice */
            uncertain_member_ids?: string[];
        };
        /** @description Words to many. */
        Broadcast: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description What it is about
             * @example 来期のOKRづくりを始めます
             */
            title: string;
            /**
             * @description What it says
             * @example 12月10日までに下書きを書いてください。
             */
            body: string;
            audience?: components["schemas"]["BroadcastAudience"];
            /**
             * @description Also by mail
             * @example true
             */
            by_mail: boolean;
            state: components["schemas"]["BroadcastState"];
            /**
             * Format: date-time
             * @description When it is or was to be sent
             * @example 2026-11-29T09:30:00Z
             */
            scheduled_at?: string;
            /**
             * Format: date-time
             * @description When the last of the audience had been reached
             * @example 2026-11-29T09:30:00Z
             */
            sent_at?: string;
            revision: components["schemas"]["Revision"];
            /**
             * Format: date-time
             * @description When it was drafted
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
            created_by: components["schemas"]["Person"];
            /**
             * Format: date-time
             * @description When somebody changed it, scheduled it, sent it or took it back last
             * @example 2026-11-29T09:30:00Z
             */
            changed_at: string;
            changed_by: components["schemas"]["Person"];
        };
        /** @description A page of broadcasts. */
        BroadcastPage: {
            /** @description Broadcasts */
            items: components["schemas"]["Broadcast"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description Whom a broadcast would reach. */
        BroadcastReach: {
            /**
             * @description How many; counted up to 100,000
             * @example 42
             */
            recipients: number;
            /** @description The first 20, in the order of their ids */
            first: components["schemas"]["Person"][];
        };
        /** @description How far a broadcast has come. */
        BroadcastDelivery: {
            state: components["schemas"]["BroadcastState"];
            revision: components["schemas"]["Revision"];
            /**
             * @description Members whose mail is on its way
             * @example 3
             */
            waiting: number;
            /**
             * @description Members who have it
             * @example 39
             */
            delivered: number;
            /**
             * @description Members whose mail was refused or given up
             * @example 1
             */
            failed: number;
            /**
             * @description Members of whom nobody can know
             * @example 0
             */
            uncertain: number;
        };
        /** @description What became of a broadcast for one member. */
        BroadcastRecipient: {
            member: components["schemas"]["Person"];
            state: components["schemas"]["BroadcastDeliveryState"];
            /**
             * @description By mail and in the inbox; otherwise in the inbox alone
             * @example true
             */
            by_mail: boolean;
            /**
             * @description What went wrong last
             * @example 550 no such user
             */
            failure?: string;
            /**
             * @description How often it was sent on purpose
             * @example 1
             */
            round: number;
            /**
             * Format: date-time
             * @description Since when it is so
             * @example 2026-11-29T09:30:00Z
             */
            changed_at: string;
        };
        /** @description A page of recipients. */
        BroadcastRecipientPage: {
            /** @description Recipients */
            items: components["schemas"]["BroadcastRecipient"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description A new webhook. */
        WebhookCreate: {
            /**
             * @description Where events are sent: https, without user name, password and fragment
             * @example https://hooks.example.com/kakeai
             */
            url: string;
            /** @description Kinds of events: names such as `objective.approved`, all of one thing such as `objective.`, or `*` */
            kinds: string[];
        };
        /** @description The fields to change. */
        WebhookPatch: {
            revision?: components["schemas"]["Revision"];
            /**
             * @description Where events are sent: https, without user name, password and fragment
             * @example https://hooks.example.com/kakeai
             */
            url?: string;
            /** @description Kinds of events: names such as `objective.approved`, all of one thing such as `objective.`, or `*` */
            kinds?: string[];
            /**
             * @description Whether events are sent
             * @example false
             */
            enabled?: boolean;
        };
        /** @description What is acted on. */
        WebhookMove: {
            revision?: components["schemas"]["Revision"];
        };
        /** @description Where another system hears of events. */
        Webhook: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description Where events are sent
             * @example https://hooks.example.com/kakeai
             */
            url: string;
            /** @description Which kinds of events */
            kinds: string[];
            /**
             * @description Whether events are sent
             * @example true
             */
            enabled: boolean;
            /**
             * @description Why it is off: somebody switched it off; the receiver answered 410; it failed 50 times in a row over three days or more
             * @example gone
             * @enum {string}
             */
            disabled_because?: "person" | "gone" | "failing";
            /**
             * @description How many attempts have failed since the last that did not
             * @example 0
             */
            failures: number;
            /**
             * Format: date-time
             * @description Until when the secret before this one signs too
             * @example 2026-11-29T09:30:00Z
             */
            previous_secret_until?: string;
            revision: components["schemas"]["Revision"];
            /**
             * Format: date-time
             * @description When it was made
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When somebody changed it last
             * @example 2026-11-29T09:30:00Z
             */
            changed_at: string;
            changed_by: components["schemas"]["Person"];
        };
        /** @description A webhook with its secret. */
        WebhookWithSecret: {
            webhook: components["schemas"]["Webhook"];
            /**
             * @description What everything sent there is signed with; shown this once
             * @example kkw_Zm9v…
             */
            secret: string;
        };
        /** @description A page of webhooks. */
        WebhookPage: {
            /** @description Webhooks */
            items: components["schemas"]["Webhook"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /**
         * @description waiting: on its way, perhaps after attempts that failed
         * @example delivered
         * @enum {string}
         */
        WebhookDeliveryState: "waiting" | "delivered" | "failed";
        /** @description One event for one webhook. */
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description Its id, which the receiver sees in every attempt as `Kakeai-Delivery`
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * Format: uuid
             * @description The event that it tells of; that of its audit event
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            event_id: string;
            /**
             * @description The kind of the event
             * @example objective.approved
             */
            kind: string;
            /**
             * @description What is sent: ids, and no content
             * @example {
             *       "kind": "objective.approved"
             *     }
             */
            payload: {
                [key: string]: unknown;
            };
            state: components["schemas"]["WebhookDeliveryState"];
            /**
             * @description How many attempts there were
             * @example 1
             */
            attempt: number;
            /**
             * @description The HTTP status of the last answer
             * @example 204
             */
            status?: number;
            /**
             * @description What went wrong last
             * @example answered 500
             */
            failure?: string;
            /**
             * Format: date-time
             * @description When it was made
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When something came of it last
             * @example 2026-11-29T09:30:00Z
             */
            changed_at: string;
        };
        /** @description A page of deliveries. */
        WebhookDeliveryPage: {
            /** @description Deliveries */
            items: components["schemas"]["WebhookDelivery"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description How one may sign in here. */
        SignInMethods: {
            /**
             * @description With e-mail and password, at `POST /session`
             * @example true
             */
            password: boolean;
            oidc?: components["schemas"]["SignInProvider"];
        };
        /** @description The identity provider, at `GET /session/oidc`; absent where there is none. */
        SignInProvider: {
            /**
             * @description What it is called on the button
             * @example Example ID
             */
            name: string;
        };
        /** @description A member's picture. */
        MemberIcon: {
            /**
             * @description Where it is
             * @example /api/v1/members/0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77/icon?v=9f86d081884c7d659a2feaa0c55ad015
             */
            icon_url: string;
        };
        /** @description A new meeting. */
        MeetingCreate: {
            /**
             * @description What it is called
             * @example 週次チェックイン
             */
            title: string;
            /**
             * @description What it is about
             * @example 今週の進みを確かめる
             */
            description?: string;
            /**
             * @description Where: a room, or a link
             * @example 会議室 3
             */
            place?: string;
            /**
             * Format: uuid
             * @description The team it is of
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            team_id?: string;
            /**
             * @description IANA name of the time zone whose clock counts
             * @example Asia/Tokyo
             */
            time_zone: string;
            /**
             * @description When the first one begins, on the clock of the time zone
             * @example 2026-12-07T09:00
             */
            starts_at_local: string;
            /**
             * @description How long it takes
             * @example 45
             */
            duration_minutes: number;
            /**
             * @description RFC 5545 rule without DTSTART: FREQ DAILY, WEEKLY, MONTHLY or YEARLY with INTERVAL, COUNT (≤ 1000) or UNTIL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS, WKST; its first occurrence is the start. Once if left out
             * @example FREQ=WEEKLY;BYDAY=MO
             */
            recurrence?: string;
            /**
             * @description How many minutes before it those who come are reminded; 0 for not at all
             * @default 60
             * @example 60
             */
            remind_minutes?: number;
            /** @description Who is invited, besides the organiser */
            attendee_ids?: string[];
            /** @description In its order */
            agenda?: components["schemas"]["AgendaItem"][];
            /** @description In their order */
            materials?: components["schemas"]["MaterialInput"][];
            survey?: components["schemas"]["SurveyInput"];
        };
        /** @description What to change. What is left out stays. */
        MeetingPatch: {
            revision?: components["schemas"]["Revision"];
            /**
             * @description What it is called
             * @example 週次チェックイン
             */
            title?: string;
            /**
             * @description What it is about
             * @example 今週の進みを確かめる
             */
            description?: string | null;
            /**
             * @description Where: a room, or a link
             * @example 会議室 3
             */
            place?: string | null;
            /**
             * Format: uuid
             * @description The team it is of; null for none
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            team_id?: string | null;
            /**
             * @description IANA name of the time zone whose clock counts
             * @example Asia/Tokyo
             */
            time_zone?: string;
            /**
             * @description When the first one from now on begins, on the clock of the time zone
             * @example 2026-12-07T09:00
             */
            starts_at_local?: string;
            /**
             * @description How long it takes
             * @example 45
             */
            duration_minutes?: number;
            /**
             * @description RFC 5545 rule without DTSTART: FREQ DAILY, WEEKLY, MONTHLY or YEARLY with INTERVAL, COUNT (≤ 1000) or UNTIL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS, WKST; its first occurrence is the start; null for once
             * @example FREQ=WEEKLY;BYDAY=MO
             */
            recurrence?: string | null;
            /**
             * @description How many minutes before it those who come are reminded; 0 for not at all
             * @example 60
             */
            remind_minutes?: number;
            /** @description The whole list in its order */
            agenda?: components["schemas"]["AgendaItem"][];
            /** @description The whole list in its order */
            materials?: components["schemas"]["MaterialInput"][];
            survey?: components["schemas"]["SurveyInput"];
        };
        /** @description A point of the agenda. */
        AgendaItem: {
            /**
             * @description What it is
             * @example NPS の見直し
             */
            title: string;
            /**
             * @description How long it should take
             * @example 10
             */
            minutes?: number;
            /**
             * Format: uuid
             * @description The objective that it is about
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            objective_id?: string;
        };
        /** @description Something to read. */
        MaterialInput: {
            /**
             * @description Where it is
             * @example https://example.com/report
             */
            url: string;
            /**
             * @description What to call it instead of what the page calls itself
             * @example 月次レポート
             */
            title?: string;
        };
        /** @description Something to read, with what its page says of itself. */
        Material: {
            /**
             * @description Where it is
             * @example https://example.com/report
             */
            url: string;
            /**
             * @description What it is called here
             * @example 月次レポート
             */
            title?: string;
            preview?: components["schemas"]["MaterialPreview"];
        };
        /** @description What a page says of itself, as it was read last. */
        MaterialPreview: {
            /**
             * @description What came of reading it
             * @example fetched
             * @enum {string}
             */
            state: "fetched" | "refused" | "failed";
            /**
             * @description Its title
             * @example 月次レポート
             */
            title?: string;
            /**
             * @description What it says it is about
             * @example 11 月の数字
             */
            description?: string;
            /**
             * @description The site
             * @example Example
             */
            site_name?: string;
            /**
             * @description A picture for it
             * @example https://example.com/report.png
             */
            image_url?: string;
        };
        /** @description What is asked before each of the meetings. */
        SurveyInput: {
            /**
             * @description Answers carry no name
             * @example true
             */
            anonymous?: boolean;
            /**
             * @description Who reads the results: everybody from the start on, also before whoever has answered (not of an anonymous survey), or whoever may change the meeting
             * @example at_start
             * @enum {string}
             */
            results?: "at_start" | "when_answered" | "organizer";
            /** @description The whole list in its order; a question that is left out is asked no more */
            questions?: components["schemas"]["QuestionInput"][];
        };
        /** @description A question. What has been asked keeps its kind and its choices. */
        QuestionInput: {
            /**
             * Format: uuid
             * @description Which question to keep or change; a new one if left out
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id?: string;
            /**
             * @description A number from 1 to 10, one of the choices, or words
             * @example scale
             * @enum {string}
             */
            kind: "scale" | "choice" | "text";
            /**
             * @description The question
             * @example 今週の手ごたえは？
             */
            title: string;
            /** @description Of the kind choice: at least two */
            choices?: string[];
            /**
             * @description It must be answered
             * @example true
             */
            required?: boolean;
        };
        /** @description A question. */
        Question: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description scale, choice or text
             * @example scale
             */
            kind: string;
            /**
             * @description The question
             * @example 今週の手ごたえは？
             */
            title: string;
            /** @description Of the kind choice; answers count them from 1 */
            choices: string[];
            /**
             * @description It must be answered
             * @example true
             */
            required: boolean;
        };
        /** @description What is asked before each of the meetings. */
        MeetingSurvey: {
            /**
             * @description Answers carry no name
             * @example true
             */
            anonymous: boolean;
            /**
             * @description Who reads the results: everybody from the start on, also before whoever has answered (not of an anonymous survey), or whoever may change the meeting
             * @example at_start
             * @enum {string}
             */
            results: "at_start" | "when_answered" | "organizer";
            /** @description In their order */
            questions: components["schemas"]["Question"][];
        };
        /** @description A meeting or series in a list. */
        MeetingSummary: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description What it is called
             * @example 週次チェックイン
             */
            title: string;
            /**
             * @description Where: a room, or a link
             * @example 会議室 3
             */
            place?: string;
            /**
             * Format: uuid
             * @description The team it is of
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            team_id?: string;
            organizer: components["schemas"]["Person"];
            /**
             * @description IANA name of the time zone whose clock counts
             * @example Asia/Tokyo
             */
            time_zone: string;
            /**
             * @description When the first one begins, on the clock of the time zone
             * @example 2026-12-07T09:00
             */
            starts_at_local: string;
            /**
             * @description How long it takes
             * @example 45
             */
            duration_minutes: number;
            /**
             * @description The rule it repeats by; absent: it takes place once
             * @example FREQ=WEEKLY;BYDAY=MO
             */
            recurrence?: string;
            response?: components["schemas"]["AttendeeResponse"];
            /**
             * @description It was called off
             * @example false
             */
            cancelled: boolean;
            revision: components["schemas"]["Revision"];
            /**
             * Format: date-time
             * @description When it was called
             * @example 2026-12-07T00:00:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last
             * @example 2026-12-07T00:00:00Z
             */
            changed_at: string;
        };
        /** @description A page of meetings. */
        MeetingPage: {
            /** @description Meetings */
            items: components["schemas"]["MeetingSummary"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description A meeting or series. */
        Meeting: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description What it is called
             * @example 週次チェックイン
             */
            title: string;
            /**
             * @description Where: a room, or a link
             * @example 会議室 3
             */
            place?: string;
            /**
             * Format: uuid
             * @description The team it is of
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            team_id?: string;
            organizer: components["schemas"]["Person"];
            /**
             * @description IANA name of the time zone whose clock counts
             * @example Asia/Tokyo
             */
            time_zone: string;
            /**
             * @description When the first one begins, on the clock of the time zone
             * @example 2026-12-07T09:00
             */
            starts_at_local: string;
            /**
             * @description How long it takes
             * @example 45
             */
            duration_minutes: number;
            /**
             * @description The rule it repeats by; absent: it takes place once
             * @example FREQ=WEEKLY;BYDAY=MO
             */
            recurrence?: string;
            response?: components["schemas"]["AttendeeResponse"];
            /**
             * @description It was called off
             * @example false
             */
            cancelled: boolean;
            /**
             * @description What it is about
             * @example 今週の進みを確かめる
             */
            description?: string;
            /**
             * @description How many minutes before it those who come are reminded; 0 for not at all
             * @example 60
             */
            remind_minutes: number;
            /** @description In its order */
            agenda: components["schemas"]["AgendaItem"][];
            /** @description In their order */
            materials: components["schemas"]["Material"][];
            survey: components["schemas"]["MeetingSurvey"];
            /**
             * @description How many attend
             * @example 6
             */
            attendee_count: number;
            next?: components["schemas"]["OccurrenceTime"];
            /**
             * @description One may change it
             * @example true
             */
            may_change: boolean;
            revision: components["schemas"]["Revision"];
            /**
             * Format: date-time
             * @description When it was called
             * @example 2026-12-07T00:00:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last
             * @example 2026-12-07T00:00:00Z
             */
            changed_at: string;
        };
        /** @description When a meeting takes place next. */
        OccurrenceTime: {
            /**
             * Format: uuid
             * @description The occurrence's id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * Format: date-time
             * @description When it begins
             * @example 2026-12-07T00:00:00Z
             */
            starts_at: string;
            /**
             * Format: date-time
             * @description When it ends
             * @example 2026-12-07T00:00:00Z
             */
            ends_at: string;
        };
        /**
         * @description What an attendee says; absent for who does not attend
         * @example accepted
         * @enum {string}
         */
        AttendeeResponse: "open" | "accepted" | "tentative" | "declined";
        /** @description Whether one comes. */
        MeetingResponse: {
            /**
             * @description Whether one comes
             * @example accepted
             * @enum {string}
             */
            response: "accepted" | "tentative" | "declined";
        };
        /** @description A member who is invited. */
        Attendee: {
            member: components["schemas"]["Person"];
            response: components["schemas"]["AttendeeResponse"];
            /**
             * Format: date-time
             * @description When they said so
             * @example 2026-12-07T00:00:00Z
             */
            responded_at?: string;
        };
        /** @description A page of attendees. */
        AttendeePage: {
            /** @description Attendees */
            items: components["schemas"]["Attendee"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description From which revision. */
        RevisionOnly: {
            revision?: components["schemas"]["Revision"];
        };
        /** @description One time that a meeting takes place, in a list. */
        OccurrenceSummary: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * Format: uuid
             * @description Of which meeting
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            meeting_id: string;
            /**
             * @description What it is called
             * @example 週次チェックイン
             */
            title: string;
            /**
             * @description Where: a room, or a link
             * @example 会議室 3
             */
            place?: string;
            /**
             * Format: uuid
             * @description The team it is of
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            team_id?: string;
            /**
             * @description IANA name of the time zone whose clock counts
             * @example Asia/Tokyo
             */
            time_zone: string;
            /**
             * Format: date-time
             * @description When it begins
             * @example 2026-12-07T00:00:00Z
             */
            starts_at: string;
            /**
             * Format: date-time
             * @description When it ends
             * @example 2026-12-07T00:00:00Z
             */
            ends_at: string;
            /**
             * @description It was moved by hand
             * @example false
             */
            moved: boolean;
            /**
             * @description It was called off
             * @example false
             */
            cancelled: boolean;
            response?: components["schemas"]["AttendeeResponse"];
            revision: components["schemas"]["Revision"];
        };
        /** @description A page of occurrences. */
        OccurrencePage: {
            /** @description Occurrences */
            items: components["schemas"]["OccurrenceSummary"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description One time that a meeting takes place. */
        Occurrence: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            meeting: components["schemas"]["Meeting"];
            /**
             * Format: date-time
             * @description When the rule has it, also after it was moved
             * @example 2026-12-07T00:00:00Z
             */
            recurrence_at: string;
            /**
             * Format: date-time
             * @description When it begins
             * @example 2026-12-07T00:00:00Z
             */
            starts_at: string;
            /**
             * Format: date-time
             * @description When it ends
             * @example 2026-12-07T00:00:00Z
             */
            ends_at: string;
            /**
             * @description It was moved by hand
             * @example false
             */
            moved: boolean;
            /**
             * @description It was called off
             * @example false
             */
            cancelled: boolean;
            /**
             * @description What was said
             * @example NPS は 42。来週も同じ施策を続ける。
             */
            minutes?: string;
            /** @description What was decided */
            decisions: string[];
            survey: components["schemas"]["SurveyStanding"];
            /** @description Made in it so far, of key results that one may see; at most 200 */
            check_ins: components["schemas"]["MeetingCheckIn"][];
            /** @description What was agreed to do */
            follow_ups: components["schemas"]["FollowUp"][];
            /**
             * @description One may write minutes and follow-ups
             * @example true
             */
            may_write: boolean;
            revision: components["schemas"]["Revision"];
            /**
             * Format: date-time
             * @description When it was changed last
             * @example 2026-12-07T00:00:00Z
             */
            changed_at: string;
            changed_by: components["schemas"]["Person"];
        };
        /** @description How it stands with the survey. */
        SurveyStanding: {
            /**
             * @description Whether it takes answers
             * @example open
             * @enum {string}
             */
            state: "none" | "open" | "closed";
            /**
             * @description How many have answered
             * @example 4
             */
            answered: number;
            /**
             * @description One has answered
             * @example true
             */
            mine: boolean;
        };
        /** @description When it takes place instead. */
        OccurrenceMove: {
            revision?: components["schemas"]["Revision"];
            /**
             * @description When it begins, on the clock of the meeting's time zone
             * @example 2026-12-07T09:00
             */
            starts_at_local: string;
            /**
             * @description How long it takes
             * @example 45
             */
            duration_minutes?: number;
        };
        /** @description What was said and decided. */
        MinutesPut: {
            revision?: components["schemas"]["Revision"];
            /**
             * @description What was said
             * @example NPS は 42。来週も同じ施策を続ける。
             */
            minutes: string;
            /** @description What was decided; nothing if left out */
            decisions?: string[];
        };
        /** @description A check-in that was made in a meeting. */
        MeetingCheckIn: {
            /**
             * Format: uuid
             * @description Of which objective
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            objective_id: string;
            /**
             * @description What the key result is called
             * @example NPS を 50 にする
             */
            key_result_title: string;
            check_in: components["schemas"]["CheckIn"];
        };
        /** @description What to go through in a meeting. */
        ObjectivesToCheckIn: {
            /** @description Objectives with their key results */
            items: components["schemas"]["Objective"][];
        };
        /** @description An answer to one question: the one value that its kind has. */
        SurveyAnswer: {
            /**
             * Format: uuid
             * @description Which question
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            question_id: string;
            /**
             * @description Of the kind scale
             * @example 7
             */
            scale?: number;
            /**
             * @description Of the kind choice, counted from 1
             * @example 1
             */
            choice?: number;
            /**
             * @description Of the kind text
             * @example 人が足りない
             */
            text?: string;
        };
        /** @description All of one's answers. */
        SurveyAnswersPut: {
            /** @description One for each question that is answered */
            answers: components["schemas"]["SurveyAnswer"][];
            /**
             * @description Of an anonymous survey: the secret of the answers that these replace; the first time, one of the client's own making or none
             * @example kka_8dQ2mL0xk1v5c9Tg3uHsYbNw7RjPzEfAoViKlMqXtZc
             */
            secret?: string;
        };
        /** @description What was answered. */
        SurveyAnswered: {
            /** @description As they are kept */
            answers: components["schemas"]["SurveyAnswer"][];
            /**
             * @description Lets one change anonymous answers; kept nowhere else
             * @example kka_8dQ2mL0xk1v5c9Tg3uHsYbNw7RjPzEfAoViKlMqXtZc
             */
            secret?: string;
        };
        /** @description The survey before a meeting. */
        Survey: {
            /**
             * @description Whether it takes answers
             * @example open
             * @enum {string}
             */
            state: "none" | "open" | "closed";
            /**
             * @description Answers carry no name
             * @example true
             */
            anonymous: boolean;
            /**
             * @description Who reads the results: everybody from the start on, also before whoever has answered (not of an anonymous survey), or whoever may change the meeting
             * @example at_start
             * @enum {string}
             */
            results_rule: "at_start" | "when_answered" | "organizer";
            /** @description In their order */
            questions: components["schemas"]["Question"][];
            /**
             * @description How many have answered
             * @example 4
             */
            answered: number;
            /**
             * @description One has answered
             * @example true
             */
            mine: boolean;
            /** @description One's own; anonymous ones only with their secret */
            my_answers: components["schemas"]["SurveyAnswer"][];
            /** @description Absent while one may not read them */
            results?: components["schemas"]["QuestionResults"][];
        };
        /** @description What was answered to a question. */
        QuestionResults: {
            /**
             * Format: uuid
             * @description Which question
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            question_id: string;
            /** @description How often each value of a scale or choice was answered */
            counts: components["schemas"]["AnswerCount"][];
            /**
             * Format: double
             * @description Of a scale
             * @example 6.5
             */
            average?: number;
            /** @description What was answered in words, at most 500 in all, in random order */
            texts: components["schemas"]["AnswerText"][];
        };
        /** @description How often a value was answered. */
        AnswerCount: {
            /**
             * @description The number, or the choice counted from 1
             * @example 7
             */
            value: number;
            /**
             * @description How often
             * @example 3
             */
            count: number;
        };
        /** @description An answer in words. */
        AnswerText: {
            /**
             * @description The answer
             * @example 人が足りない
             */
            text: string;
            author?: components["schemas"]["Person"];
        };
        /** @description Something to do. */
        FollowUpCreate: {
            /**
             * @description What
             * @example アンケートを作り直す
             */
            title: string;
            /**
             * Format: uuid
             * @description Who does it
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            assignee_id: string;
            /**
             * Format: date
             * @description Until when
             * @example 2026-12-14
             */
            due_on?: string;
        };
        /** @description What to change. What is left out stays. */
        FollowUpPatch: {
            revision?: components["schemas"]["Revision"];
            /**
             * @description What
             * @example アンケートを作り直す
             */
            title?: string;
            /**
             * Format: uuid
             * @description Who does it
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            assignee_id?: string;
            /**
             * Format: date
             * @description Until when; null for no day
             * @example 2026-12-14
             */
            due_on?: string | null;
            /**
             * @description true: it is done, false: it is not
             * @example true
             */
            done?: boolean;
        };
        /** @description Something that was agreed to do. */
        FollowUp: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * Format: uuid
             * @description In which meeting
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            occurrence_id: string;
            /**
             * @description What that is called, in lists of one's own
             * @example 週次チェックイン
             */
            meeting_title?: string;
            /**
             * @description What
             * @example アンケートを作り直す
             */
            title: string;
            assignee: components["schemas"]["Person"];
            /**
             * Format: date
             * @description Until when
             * @example 2026-12-14
             */
            due_on?: string;
            /**
             * @description It is done
             * @example false
             */
            done: boolean;
            /**
             * Format: date-time
             * @description Since when
             * @example 2026-12-07T00:00:00Z
             */
            done_at?: string;
            revision: components["schemas"]["Revision"];
            /**
             * Format: date-time
             * @description When it was agreed
             * @example 2026-12-07T00:00:00Z
             */
            created_at: string;
            created_by: components["schemas"]["Person"];
            /**
             * Format: date-time
             * @description When it was changed last
             * @example 2026-12-07T00:00:00Z
             */
            changed_at: string;
        };
        /** @description A page of follow-ups. */
        FollowUpPage: {
            /** @description Follow-ups */
            items: components["schemas"]["FollowUp"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description The secret address of one's calendar. */
        CalendarFeed: {
            /**
             * @description Where it is, beneath the server's address
             * @example /api/v1/calendar/kkc_AZPwoXwefTqfEAxbPx8qd….ics
             */
            path: string;
            /**
             * @description The whole address, where the server knows its own
             * @example https://okr.example.com/api/v1/calendar/kkc_AZPwoXwefTqfEAxbPx8qd….ics
             */
            url?: string;
        };
        /** @description One difference between a revision and the one before it. */
        HistoryChange: {
            /**
             * @description Into the content, key results and steps by their ids
             * @example /key_results/0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77/weight
             */
            pointer: string;
            /**
             * @description moved: what is in both stands in another order
             * @example changed
             * @enum {string}
             */
            kind: "added" | "removed" | "changed" | "moved";
            /**
             * @description The title of the key result or step that it is about
             * @example NPS
             */
            label?: string;
            /**
             * @description What was there; absent for what was added, null for nothing
             * @example 1
             */
            before?: unknown;
            /**
             * @description What is there now; absent for what was removed, null for nothing
             * @example 2
             */
            after?: unknown;
        };
        /** @description Which revision to go back to, and from which. */
        VersionRestore: {
            revision?: components["schemas"]["Revision"];
            /**
             * Format: int64
             * @description The revision whose content is wanted
             * @example 3
             */
            restore_revision: number;
            /**
             * @description Why
             * @example 前の目標値に戻します。
             */
            note?: string;
        };
        /** @description What it is to say. */
        CommentPatch: {
            revision?: components["schemas"]["Revision"];
            /**
             * @description The text
             * @example 今週は改善が見えてきました。
             */
            body: string;
        };
        /** @description An objective that is still to be closed. */
        ObjectiveToScore: {
            objective: components["schemas"]["ObjectiveSummary"];
            /**
             * @description Its progress, rounded to one decimal
             * @example 0.7
             */
            suggested_score: string;
            /**
             * @description 1 for a committed objective, 0.7 for an aspirational one
             * @example 0.7
             */
            expected_score: string;
            /**
             * @description Closing it with the suggested score needs a note
             * @example true
             */
            note_needed: boolean;
            /**
             * @description Whoever asks may close it
             * @example true
             */
            may_close: boolean;
        };
        /** @description A page of what is still to be scored. */
        ScorePage: {
            /** @description Objectives */
            items: components["schemas"]["ObjectiveToScore"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description What to close. */
        ScoresPut: {
            /** @description Each objective once */
            items: components["schemas"]["ScorePut"][];
        };
        /** @description An objective to close. */
        ScorePut: {
            /**
             * Format: uuid
             * @description Which objective
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            objective_id: string;
            revision: components["schemas"]["Revision"];
            /**
             * @description 0.0 to 1.0; the suggested one if left out
             * @example 0.7
             */
            score?: string;
            /**
             * @description Why; needed for another score than suggested, and for a committed objective below 1
             * @example 二社が来期に延期した。
             */
            note?: string;
        };
        /** @description What came of one objective. */
        ScoreResult: {
            /**
             * Format: uuid
             * @description Which objective
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            objective_id: string;
            /**
             * @description closed, or the kind of problem that closing it alone would have answered with
             * @example closed
             * @enum {string}
             */
            outcome: "closed" | "not-found" | "not-allowed" | "stale-revision" | "wrong-state" | "invalid";
            /**
             * Format: int64
             * @description closed, stale-revision: the revision that it is at
             * @example 8
             */
            revision?: number;
            /**
             * @description closed: its score
             * @example 0.7
             */
            score?: string;
            /**
             * @description What is wrong
             * @example It is at revision 8; the edit was made from revision 7.
             */
            detail?: string;
            /** @description invalid: every field that is wrong, with pointers into the request */
            errors?: components["schemas"]["FieldProblem"][];
        };
        /** @description What came of each, in the order of the request. */
        ScoreResults: {
            /** @description Results */
            items: components["schemas"]["ScoreResult"][];
        };
        /**
         * @description One's own, a team's, all of the cycle's that one may see, or the ones named
         * @example mine
         * @enum {string}
         */
        CarryOverScope: "mine" | "team" | "cycle" | "selection";
        /** @description What to carry over, and where to. */
        CarryOverCreate: {
            /**
             * Format: uuid
             * @description A cycle that begins later and is not closed
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            target_cycle_id: string;
            /**
             * @description true: make nothing, and say what would be made
             * @example true
             */
            dry_run: boolean;
            scope: components["schemas"]["CarryOverScope"];
            /**
             * Format: uuid
             * @description scope team: whose
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            team_id?: string;
            /** @description scope selection: which */
            objective_ids?: string[];
            /**
             * @description How many objectives to look at; 25 if left out
             * @example 25
             */
            limit?: number;
            /**
             * @description `next_cursor` of the answer before, for the same cycles and scope
             * @example AQAAAZPwoXwe
             */
            cursor?: string;
        };
        /** @description A key result of the original, and what becomes of it. */
        CarriedKeyResult: {
            /**
             * Format: uuid
             * @description The key result it comes from
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            from_id: string;
            /**
             * @description Why it is not carried; absent where it is
             * @example target-reached
             * @enum {string}
             */
            skipped?: "target-reached";
            /**
             * @description What is measured
             * @example NPS
             */
            title: string;
            kind: components["schemas"]["KeyResultKind"];
            /**
             * @description What it is counted in
             * @example points
             */
            unit: string;
            /**
             * Format: uuid
             * @description Who checks in, if not the objective's owner
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            owner_id?: string;
            baseline?: components["schemas"]["Decimal"];
            target?: components["schemas"]["Decimal"];
            stretch?: components["schemas"]["Decimal"];
            at_least?: components["schemas"]["Decimal"];
            at_most?: components["schemas"]["Decimal"];
            tolerance?: components["schemas"]["Decimal"];
            weight?: components["schemas"]["Weight"];
            /**
             * @description Of a milestone: titles of the steps not done
             * @example [
             *       "設計レビュー"
             *     ]
             */
            steps?: string[];
        };
        /** @description What the original supports, and what the copy will. */
        CarriedLink: {
            /**
             * Format: uuid
             * @description What the original supports
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            objective_id: string;
            /**
             * @description What is to be reached there
             * @example お客さまに選ばれ続けるサービスになる
             */
            title: string;
            /**
             * @description copy: the copy supports the copy of it. original: it is not carried over, and the copy supports it as it is
             * @example copy
             * @enum {string}
             */
            leads_to: "copy" | "original";
        };
        /** @description A copy that supports the original. */
        CarriedSupporter: {
            /**
             * Format: uuid
             * @description The copy that supports it
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            objective_id: string;
            /**
             * @description What is to be reached there
             * @example お客さまに選ばれ続けるサービスになる
             */
            title: string;
        };
        /** @description The copy. */
        CarriedObjective: {
            /**
             * @description Why, and what it would look like
             * @example 解約の理由の半分が初回対応の遅れにある。
             */
            description?: string;
            kind: components["schemas"]["ObjectiveKind"];
            visibility: components["schemas"]["Visibility"];
            owner: components["schemas"]["Person"];
            /**
             * Format: uuid
             * @description Its team, if it is a team's
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            team_id?: string;
            /**
             * @description kept: it contributes to the copy of what the original contributed to. objective-only: the key result there was not carried. old-parent: the parent was not. The last two are flagged
             * @example kept
             * @enum {string}
             */
            alignment: "none" | "kept" | "objective-only" | "old-parent";
            /**
             * Format: uuid
             * @description What the original contributes to
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            parent_objective_id?: string;
            /**
             * Format: uuid
             * @description Which key result of that
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            parent_key_result_id?: string;
            /** @description What the original supports, as far as one may see it; absent where there is nothing */
            supports?: components["schemas"]["CarriedLink"][];
            /** @description Copies that are there already and support the original, and will support this copy; absent where there is none */
            supporters?: components["schemas"]["CarriedSupporter"][];
            /**
             * @description All that is carried weighed nothing, and weighs 1 each now
             * @example false
             */
            weights_reset: boolean;
            /** @description Those of the original, in their order */
            key_results: components["schemas"]["CarriedKeyResult"][];
        };
        /** @description An objective, and what becomes of it. */
        CarryOverItem: {
            /**
             * Format: uuid
             * @description The original
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            objective_id: string;
            /**
             * @description What is to be reached
             * @example お客さまに選ばれ続けるサービスになる
             */
            title?: string;
            /**
             * @description exists: there is a copy already, whoever made it
             * @example carried
             * @enum {string}
             */
            outcome: "carried" | "exists" | "skipped";
            /**
             * @description skipped: why. nothing-left: all of its key results reached their targets
             * @example nothing-left
             * @enum {string}
             */
            reason?: "not-there" | "archived" | "not-allowed" | "team-archived" | "not-your-team" | "nothing-left";
            /**
             * Format: uuid
             * @description The copy; absent from dry runs, where there is none yet
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            copy_id?: string;
            copy?: components["schemas"]["CarriedObjective"];
        };
        /** @description What was made, or would be. */
        CarryOverResult: {
            /**
             * @description Nothing was made
             * @example true
             */
            dry_run: boolean;
            /**
             * Format: uuid
             * @description Where to
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            target_cycle_id: string;
            /** @description What was looked at, in the order of creation */
            items: components["schemas"]["CarryOverItem"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description An objective in the alignment. */
        AlignmentNode: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description What is to be reached
             * @example お客さまに選ばれ続けるサービスになる
             */
            title: string;
            kind: components["schemas"]["ObjectiveKind"];
            visibility: components["schemas"]["Visibility"];
            state: components["schemas"]["ObjectiveState"];
            /**
             * @description Put away
             * @example false
             */
            archived: boolean;
            owner: components["schemas"]["Person"];
            /**
             * Format: uuid
             * @description Its team, if it is a team's
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            team_id?: string;
            /**
             * Format: uuid
             * @description Its cycle
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            cycle_id: string;
            /**
             * Format: uuid
             * @description What it contributes to, if whoever asks may see that
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            parent_objective_id?: string;
            /**
             * Format: uuid
             * @description Which key result of it
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            parent_key_result_id?: string;
            parent_key_result?: components["schemas"]["NamedKeyResult"];
            /**
             * @description It contributes to an objective that whoever asks may not see
             * @example false
             */
            parent_hidden: boolean;
            progress: components["schemas"]["Progress"];
            health: components["schemas"]["Health"];
            /**
             * @description No check-in for the cadence and three days
             * @example false
             */
            outdated: boolean;
            /**
             * @description One of its key results is off track
             * @example false
             */
            any_off_track: boolean;
            /**
             * @description How many key results count
             * @example 3
             */
            key_result_count: number;
            /**
             * @description How many objectives that whoever asks may see contribute to it, of the first 200
             * @example 12
             */
            child_count: number;
            /**
             * @description More than 200 contribute to it, of which child_count has not counted all
             * @example false
             */
            more_children: boolean;
            /**
             * @description How many objectives that whoever asks may see it supports
             * @example 1
             */
            supported_count: number;
            /**
             * @description How many objectives that whoever asks may see support it, of the first 50
             * @example 2
             */
            supporter_count: number;
        };
        /** @description A page of a level of the alignment. */
        AlignmentPage: {
            /** @description Objectives */
            items: components["schemas"]["AlignmentNode"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description From a root down to an objective. */
        AlignmentPath: {
            /** @description The root first, the objective itself last */
            steps: components["schemas"]["AlignmentStep"][];
        };
        /** @description A step of the path. A hidden one has nothing else. */
        AlignmentStep: {
            /**
             * @description Whoever asks may not see it
             * @example false
             */
            hidden: boolean;
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id?: string;
            /**
             * @description What is to be reached
             * @example お客さまに選ばれ続けるサービスになる
             */
            title?: string;
            state?: components["schemas"]["ObjectiveState"];
            /**
             * @description Put away
             * @example false
             */
            archived?: boolean;
            /**
             * Format: uuid
             * @description Its cycle
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            cycle_id?: string;
            key_result?: components["schemas"]["NamedKeyResult"];
        };
        /** @description A key result by name: in a path the one of the step above that this step contributes to, in the tree the one of the parent, also if it was taken out since, in a search the one that was found. */
        NamedKeyResult: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description Its title
             * @example 解約率を 2 % にする
             */
            title: string;
        };
        /**
         * @description What it supports, or what supports it
         * @default supported
         * @example supported
         * @enum {string}
         */
        SupportDirection: "supported" | "supporters";
        /**
         * @description The order of a list: as created, the newest first, by title, or by progress as it was a few seconds ago, which only approved and closed objectives have
         * @default created
         * @example created
         * @enum {string}
         */
        ObjectiveOrder: "created" | "newest" | "title" | "least-progress" | "most-progress";
        /**
         * @description A kind of what can be found
         * @example objective
         * @enum {string}
         */
        SearchKind: "objective" | "person" | "team";
        /** @description What was found, by kind; a kind that was not looked for is absent. */
        SearchResult: {
            objectives?: components["schemas"]["FoundObjectives"];
            people?: components["schemas"]["FoundPeople"];
            teams?: components["schemas"]["FoundTeams"];
        };
        /** @description Objectives that were found. */
        FoundObjectives: {
            /** @description The best first */
            items: components["schemas"]["FoundObjective"][];
            /**
             * @description There may be others
             * @example false
             */
            more: boolean;
        };
        /** @description An objective that was found. */
        FoundObjective: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description What is to be reached
             * @example お客さまに選ばれ続けるサービスになる
             */
            title: string;
            state: components["schemas"]["ObjectiveState"];
            visibility: components["schemas"]["Visibility"];
            owner: components["schemas"]["Person"];
            /**
             * Format: uuid
             * @description Its team, if it is a team's
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            team_id?: string;
            /**
             * Format: uuid
             * @description Its cycle
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            cycle_id: string;
            key_result?: components["schemas"]["NamedKeyResult"];
        };
        /** @description People who were found. */
        FoundPeople: {
            /** @description The best first */
            items: components["schemas"]["FoundPerson"][];
            /**
             * @description There may be others
             * @example false
             */
            more: boolean;
        };
        /** @description A member who was found. */
        FoundPerson: {
            /**
             * Format: uuid
             * @description The member's id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description Their name
             * @example 佐藤 葵
             */
            name: string;
            /**
             * @description Their address
             * @example aoi.sato@example.com
             */
            email: string;
        };
        /** @description Teams that were found. */
        FoundTeams: {
            /** @description The best first */
            items: components["schemas"]["FoundTeam"][];
            /**
             * @description There may be others
             * @example false
             */
            more: boolean;
        };
        /** @description A team that was found. */
        FoundTeam: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description Its name
             * @example カスタマーサクセス
             */
            name: string;
        };
        /** @description Where things stand in one cycle, for one member. */
        Dashboard: {
            /**
             * Format: date-time
             * @description The moment that was asked for; absent for now
             * @example 2026-11-01T00:00:00Z
             */
            as_of?: string;
            cycle?: components["schemas"]["CycleNow"];
            /** @description Cycles to choose from: those that go on or are to come, and the latest that have ended */
            cycles: components["schemas"]["Cycle"][];
            /** @description One's own objectives there, at most 20 */
            objectives: components["schemas"]["DashboardObjective"][];
            /**
             * @description There are more; `/objectives` lists all
             * @example false
             */
            more_objectives: boolean;
            /** @description One's teams and what they come to, at most 20 */
            teams: components["schemas"]["TeamFigures"][];
            /**
             * @description One is in more teams
             * @example false
             */
            more_teams: boolean;
            organization?: components["schemas"]["Figures"];
            /**
             * Format: date-time
             * @description As of when the figures of teams and organisation are, but for changes of the last seconds. With `as_of`, when they were recorded
             * @example 2026-11-29T09:30:00Z
             */
            computed_at?: string;
            /**
             * @description The cycle's dates, or the organisation's time zone or cadence, have just changed: figures are being computed anew
             * @example false
             */
            recomputing?: boolean;
            /**
             * Format: date
             * @description With `as_of`: the day at whose end the figures were recorded; absent where none were
             * @example 2026-10-31
             */
            figures_day?: string;
            /** @description What happened lately, at most 10; none with `as_of` */
            recent: components["schemas"]["FeedEntry"][];
            missing?: components["schemas"]["Missing"];
        };
        /** @description A cycle, and how far it has come. */
        CycleNow: {
            cycle: components["schemas"]["Cycle"];
            /**
             * @description The fraction of its days that lies behind, 0 to 1
             * @example 0.5217
             */
            elapsed: string;
            /**
             * @description Today and the days behind it until it ends; 0 once it has ended
             * @example 44
             */
            days_left: number;
            /**
             * @description Its days in all
             * @example 92
             */
            days: number;
        };
        /** @description One's own objective, with where its key results stand. */
        DashboardObjective: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            revision: components["schemas"]["Revision"];
            /**
             * @description What is to be reached
             * @example お客さまに選ばれ続けるサービスになる
             */
            title: string;
            kind: components["schemas"]["ObjectiveKind"];
            visibility: components["schemas"]["Visibility"];
            state: components["schemas"]["ObjectiveState"];
            /**
             * @description Put away
             * @example false
             */
            archived: boolean;
            /**
             * Format: uuid
             * @description Its team, if it is a team's
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            team_id?: string;
            progress: components["schemas"]["Progress"];
            health: components["schemas"]["Health"];
            /**
             * @description No check-in for the cadence and three days
             * @example false
             */
            outdated: boolean;
            /**
             * @description One of its key results is off track
             * @example false
             */
            any_off_track: boolean;
            /**
             * @description 0.0 to 1.0, judged at close
             * @example 0.7
             */
            score?: string;
            /** @description In their order */
            key_results: components["schemas"]["DashboardKeyResult"][];
        };
        /** @description Where a key result stands. */
        DashboardKeyResult: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description What is measured
             * @example NPS
             */
            title: string;
            kind: components["schemas"]["KeyResultKind"];
            /**
             * @description What it is counted in
             * @example %
             */
            unit: string;
            /**
             * @description No check-in yet
             * @example false
             */
            pending: boolean;
            /**
             * @description Raw: may be below 0 or above 1
             * @example 0.6667
             */
            progress: string;
            /**
             * @description For display: rounded half up, 99 until really reached
             * @example 67
             */
            percent: number;
            current_value?: components["schemas"]["Decimal"];
            /**
             * @description 0 to 10, as stated last
             * @example 7
             */
            confidence?: number;
            /**
             * Format: date-time
             * @description When it was checked in last
             * @example 2026-11-29T09:30:00Z
             */
            checked_in_at?: string;
        };
        /** @description What approved and closed objectives come to. Those that the reader may not see count without being shown; where so few are left that one could be told from the others, the figures are withheld, and nothing else is there. Coarse ones are of a group from which another one's could be told by subtracting: whole percents, and no counts by health. */
        Figures: {
            /**
             * @description There are figures that this reader may not have
             * @example false
             */
            withheld: boolean;
            /**
             * @description Only whole percents, and no counts by health
             * @example false
             */
            coarse?: boolean;
            /**
             * @description How many count
             * @example 128
             */
            objectives?: number;
            progress?: components["schemas"]["Progress"];
            health?: components["schemas"]["HealthCounts"];
        };
        /** @description How many objectives are how healthy; the flags beside it overlap. */
        HealthCounts: {
            /**
             * @description On track
             * @example 80
             */
            on_track: number;
            /**
             * @description At risk
             * @example 20
             */
            at_risk: number;
            /**
             * @description Off track
             * @example 10
             */
            off_track: number;
            /**
             * @description Without any check-in
             * @example 18
             */
            pending: number;
            /**
             * @description With a key result that is off track
             * @example 31
             */
            any_off_track: number;
            /**
             * @description Without a check-in for the cadence and three days; 0 while the cycle is not active
             * @example 7
             */
            outdated: number;
        };
        /** @description A team, and what it comes to. */
        TeamFigures: {
            team: components["schemas"]["TeamName"];
            figures: components["schemas"]["Figures"];
        };
        /** @description A team by name. */
        TeamName: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description Its name
             * @example カスタマーサクセス
             */
            name: string;
        };
        /** @description Who has not set objectives and who has not checked in, of the teams that one leads or, for admins and owners, of the organisation. Absent for whom it is not. */
        Missing: {
            /** @description For admins and owners: teams that have no objective in the cycle, at most 10 */
            teams?: components["schemas"]["TeamName"][];
            /**
             * @description There may be more, since not all teams were looked at
             * @example false
             */
            more_teams?: boolean;
            /** @description Members without an objective, at most 10 */
            members: components["schemas"]["Person"][];
            /**
             * @description There may be more; `/cycles/{cycle_id}/missing-objectives` lists all
             * @example true
             */
            more_members: boolean;
            /** @description Objectives without a check-in for too long, at most 10 */
            check_ins: components["schemas"]["MissingCheckIn"][];
            /**
             * @description There are more; `/cycles/{cycle_id}/missing-check-ins` lists all
             * @example false
             */
            more_check_ins: boolean;
        };
        /** @description An objective that nobody has checked in for too long. */
        MissingCheckIn: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * @description What it is called
             * @example お客さまに選ばれ続ける
             */
            title: string;
            owner: components["schemas"]["Person"];
            /**
             * Format: uuid
             * @description Its team, if it is a team's
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            team_id?: string;
            /**
             * Format: date
             * @description The first day on which it was outdated
             * @example 2026-11-20
             */
            outdated_since: string;
        };
        /** @description A member without an objective. */
        MissingObjective: {
            member: components["schemas"]["Person"];
        };
        /** @description A page of members. */
        MissingObjectivesPage: {
            /** @description Members */
            items: components["schemas"]["MissingObjective"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description A page of objectives. */
        MissingCheckInsPage: {
            /** @description Objectives */
            items: components["schemas"]["MissingCheckIn"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description A team's page. */
        TeamOverview: {
            team: components["schemas"]["Team"];
            /** @description Its members, at most 50 */
            members: components["schemas"]["TeamMember"][];
            /**
             * @description There are more; `/teams/{team_id}/members` lists all
             * @example false
             */
            more_members: boolean;
            cycle?: components["schemas"]["CycleNow"];
            /** @description Cycles to choose from */
            cycles: components["schemas"]["Cycle"][];
            figures?: components["schemas"]["Figures"];
            /** @description Its objectives in the cycle that one may see, at most 20 */
            objectives: components["schemas"]["ObjectiveSummary"][];
            /**
             * @description There are more; `/objectives` lists all
             * @example false
             */
            more_objectives: boolean;
            /** @description What happened to its objectives lately, at most 10 */
            recent: components["schemas"]["FeedEntry"][];
            missing?: components["schemas"]["Missing"];
        };
        /** @description How a cycle has come along. */
        CycleProgress: {
            cycle: components["schemas"]["CycleNow"];
            /** @description Days that were recorded, the earliest first */
            days: components["schemas"]["CycleDay"][];
            now: components["schemas"]["Figures"];
        };
        /** @description How it stood when a day ended. */
        CycleDay: {
            /**
             * Format: date
             * @description The day
             * @example 2026-11-29
             */
            day: string;
            /**
             * @description The fraction of the cycle that lay behind when the day began, which is the pace that health is measured by
             * @example 0.5
             */
            expected: string;
            figures: components["schemas"]["Figures"];
        };
        /** @description How an objective has moved. */
        ObjectiveSeries: {
            /**
             * Format: uuid
             * @description Which objective
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            objective_id: string;
            /**
             * Format: date
             * @description Its cycle's first day, on which 0 is expected
             * @example 2026-10-01
             */
            starts_on: string;
            /**
             * Format: date
             * @description Its cycle's last day, behind which 1 is expected
             * @example 2026-12-31
             */
            ends_on: string;
            /**
             * @description What is expected today
             * @example 0.5217
             */
            elapsed: string;
            /** @description Series */
            key_results: components["schemas"]["KeyResultSeries"][];
        };
        /** @description How a key result has moved. */
        KeyResultSeries: {
            /**
             * Format: uuid
             * @description Which key result
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            key_result_id: string;
            baseline?: components["schemas"]["Decimal"];
            target?: components["schemas"]["Decimal"];
            /**
             * @description Of a metric: the value that is expected today
             * @example 45
             */
            expected_value?: string;
            /** @description At most 60, the earliest first */
            points: components["schemas"]["SeriesPoint"][];
            /**
             * @description There are earlier ones
             * @example false
             */
            more: boolean;
        };
        /** @description A check-in as a point. */
        SeriesPoint: {
            /**
             * Format: uuid
             * @description Which check-in
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            check_in_id: string;
            /**
             * Format: date-time
             * @description The time it stands at
             * @example 2026-11-29T09:30:00Z
             */
            at: string;
            value?: components["schemas"]["Decimal"];
            /**
             * @description Raw, by the definition of now
             * @example 0.6667
             */
            progress: string;
            /**
             * @description The progress that was expected on that day
             * @example 0.5
             */
            expected: string;
            /**
             * @description 0 to 10
             * @example 7
             */
            confidence: number;
        };
        /** @description A page of teams and what they come to. */
        CycleTeamsPage: {
            /** @description Teams */
            items: components["schemas"]["TeamFigures"][];
            /**
             * Format: date
             * @description With `as_of`: the day at whose end the figures were recorded; absent where none were
             * @example 2026-10-31
             */
            figures_day?: string;
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description An array of objects with plain values, or an object with such an array named rows */
        ImportFile: {
            [key: string]: unknown;
        };
        /**
         * @description What a column means; empty for nothing
         * @example objective
         * @enum {string}
         */
        ImportField: "" | "objective_id" | "objective" | "objective_description" | "kind" | "visibility" | "state" | "score" | "archived" | "owner" | "team" | "cycle" | "parent_objective" | "parent_key_result" | "key_result_id" | "key_result" | "key_result_description" | "key_result_owner" | "key_result_kind" | "unit" | "baseline" | "target" | "stretch" | "at_least" | "at_most" | "tolerance" | "weight" | "steps" | "check_in_id" | "value" | "done_steps" | "confidence" | "note" | "checked_at" | "checked_by" | "item_type" | "item_id" | "item" | "item_description" | "item_owner" | "item_parent" | "progress";
        /**
         * @description What becomes of a row: something new, a change, nothing, or nothing because it is refused
         * @example refused
         * @enum {string}
         */
        ImportResult: "create" | "update" | "same" | "refused";
        /**
         * @description How far it has come
         * @example checked
         * @enum {string}
         */
        ImportState: "uploading" | "uploaded" | "checking" | "checked" | "running" | "done" | "cancelled" | "failed";
        /** @description How many, by result. */
        ImportCounts: {
            /**
             * @description New
             * @example 120
             */
            create: number;
            /**
             * @description Changed
             * @example 3
             */
            update: number;
            /**
             * @description As they were
             * @example 40
             */
            same: number;
            /**
             * @description Refused
             * @example 2
             */
            refused: number;
        };
        /** @description A column of the file. */
        ImportColumn: {
            /**
             * @description What stands above it
             * @example 目標
             */
            header: string;
            field: components["schemas"]["ImportField"];
            /**
             * @description Why it means nothing
             * @example No field is called that. Say which one it is if it is one.
             */
            ignored?: string;
        };
        /** @description A reason against a row. */
        ImportProblem: {
            /**
             * @description Which column, counted from 0; left out where no single one is to blame
             * @example 4
             */
            column?: number;
            /**
             * @description What stands above it
             * @example Target
             */
            header?: string;
            field?: components["schemas"]["ImportField"];
            /**
             * @description For programs
             * @example number
             */
            code: string;
            /**
             * @description For people
             * @example "many" is not a number.
             */
            detail: string;
        };
        /** @description A file that somebody brings. */
        Import: {
            /**
             * Format: uuid
             * @description Its id
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            id: string;
            /**
             * Format: int64
             * @description Raised by each change, and when the work on it ends
             * @example 3
             */
            revision: number;
            /**
             * @description What it is called
             * @example okr-2026q4.csv
             */
            file_name: string;
            /**
             * @description Which kind of file
             * @example csv
             * @enum {string}
             */
            format: "csv" | "json" | "xlsx";
            /**
             * @description What it is written in
             * @example shift_jis
             */
            encoding: string;
            /**
             * @description What stands between cells; empty in JSON
             * @example ,
             */
            separator: string;
            /**
             * @description Which sheet of the workbook was read
             * @example OKR 2026Q4
             */
            sheet?: string;
            /** @description Which visible sheets the workbook has */
            sheets?: string[];
            /**
             * @description Whose file it is: kakeai, another program's name, or other
             * @example peoplebox
             */
            layout: string;
            /**
             * @description Where that layout is documented
             * @example https://help.example.com/import
             */
            layout_source?: string;
            /** @description Its columns, with what each means */
            columns: components["schemas"]["ImportColumn"][];
            /** @description Its first rows; only where one import is shown */
            sample?: string[][];
            /**
             * @description How decimals are marked
             * @example auto
             * @enum {string}
             */
            decimal_mark: "auto" | "point" | "comma";
            /**
             * @description In which order day and month stand
             * @example auto
             * @enum {string}
             */
            date_order: "auto" | "ymd" | "dmy" | "mdy";
            /**
             * @description Under whose name the file's ids are remembered
             * @example peoplebox
             */
            source: string;
            /**
             * Format: uuid
             * @description The cycle of rows that name none
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            cycle_id?: string;
            /**
             * @description Whether rows that are refused keep the others from being run
             * @example false
             */
            good_rows_only: boolean;
            /**
             * @description The state of new objectives where the file has none
             * @example draft
             * @enum {string}
             */
            default_state: "draft" | "approved";
            state: components["schemas"]["ImportState"];
            /**
             * @description What is being done at present
             * @example reading
             */
            phase?: string;
            /**
             * @description How many rows it has
             * @example 1200
             */
            row_count: number;
            /**
             * @description How many of them have been gone through in the present phase
             * @example 400
             */
            progress: number;
            /**
             * @description While it is being checked or run: how much of that is done, roughly. It falls only where the check or the writing has to begin again
             * @example 63
             */
            percent?: number;
            /**
             * @description While it is being checked or run: how much of the present phase is done. It counts rows while they are read and get their results, objectives and check-ins otherwise
             * @example 400
             */
            phase_done?: number;
            /**
             * @description Of how many
             * @example 1200
             */
            phase_total?: number;
            rows?: components["schemas"]["ImportCounts"];
            objectives?: components["schemas"]["ImportCounts"];
            key_results?: components["schemas"]["ImportCounts"];
            check_ins?: components["schemas"]["ImportCounts"];
            /**
             * @description Why it failed or was not run: rows-refused, not-allowed, given-up, cycles-closed, alignment-loop, or why the file could not be read
             * @example rows-refused
             */
            failure?: string;
            /**
             * Format: date-time
             * @description When it was brought
             * @example 2026-11-29T09:30:00Z
             */
            created_at: string;
            created_by: components["schemas"]["Person"];
            /**
             * Format: date-time
             * @description When something came of it last
             * @example 2026-11-29T09:30:00Z
             */
            changed_at: string;
        };
        /** @description A page of imports. */
        ImportPage: {
            /** @description Imports */
            items: components["schemas"]["Import"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description A row of a file. */
        ImportRow: {
            /**
             * @description Which row, counted from 1 without the headers
             * @example 7
             */
            row: number;
            /**
             * @description The line of the file on which it begins
             * @example 8
             */
            line: number;
            /** @description Its cells */
            cells: string[];
            result?: components["schemas"]["ImportResult"];
            /** @description Why it is refused */
            problems: components["schemas"]["ImportProblem"][];
        };
        /** @description A page of rows. */
        ImportRowPage: {
            /** @description Rows */
            items: components["schemas"]["ImportRow"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
        /** @description The fields to change. */
        ImportPatch: {
            revision?: components["schemas"]["Revision"];
            /** @description What each column means, in their order */
            mapping?: components["schemas"]["ImportField"][];
            /**
             * @description How decimals are marked
             * @example comma
             * @enum {string}
             */
            decimal_mark?: "auto" | "point" | "comma";
            /**
             * @description In which order day and month stand
             * @example dmy
             * @enum {string}
             */
            date_order?: "auto" | "ymd" | "dmy" | "mdy";
            /**
             * @description Under whose name the file's ids are remembered
             * @example peoplebox
             */
            source?: string;
            /**
             * Format: uuid
             * @description The cycle of rows that name none
             * @example 0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77
             */
            cycle_id?: string | null;
            /**
             * @description Whether to run the good rows although others are refused
             * @example true
             */
            good_rows_only?: boolean;
            /**
             * @description The state of new objectives where the file has none
             * @example approved
             * @enum {string}
             */
            default_state?: "draft" | "approved";
        };
        /** @description What is acted on. */
        ImportMove: {
            revision?: components["schemas"]["Revision"];
        };
        /**
         * @description superseded: the objective moved on while the coach was thinking
         * @example running
         * @enum {string}
         */
        JobState: "queued" | "running" | "succeeded" | "failed" | "cancelled" | "superseded";
        /** @description A question to the coach, with who asked it about what. */
        JobOverview: {
            job: components["schemas"]["Job"];
            /**
             * @description What the objective is called now
             * @example お客さまに選ばれ続けるサービスになる
             */
            objective_title: string;
            requested_by: components["schemas"]["Person"];
            /**
             * @description How many times a worker begins at most
             * @example 5
             */
            max_attempts: number;
            /**
             * Format: date-time
             * @description queued: from when on a worker takes it
             * @example 2026-11-29T09:30:04Z
             */
            next_attempt_at?: string;
        };
        /** @description A page of what the coach was asked for. */
        JobOverviewPage: {
            /** @description Questions */
            items: components["schemas"]["JobOverview"][];
            next_cursor?: components["schemas"]["NextCursor"];
        };
    };
    responses: {
        /** @description The request cannot be read. `type` is `bad-request`; `errors` names parameters and fields. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not signed in, or no longer. `type` is `signed-out`, or when signing in `wrong-credentials` or `sign-in-failed`. */
        SignedOut: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description In sight, but not yours to change (`not-allowed`), or sent by a page of another origin (`cross-origin`); when signing in, nobody here is meant (`no-access`). */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is none, or none that you may see. `type` is `not-found`. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The link was right and is no more: `invitation-accepted`, `invitation-revoked` or `invitation-expired`. */
        InvitationOver: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `stale-revision`: changed meanwhile, with `present`, `changed_by` and `changed_at`. `superseded`: the objective moved on. `wrong-state`: not in the state that this needs. `in-the-way`: something else has that name or place. `ai-budget-exhausted`: the month's tokens are used up; the rules coach answers all the same. `in-progress`: the first request with this Idempotency-Key is still running. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `stale-revision`, because of an `If-Match`. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is over 1 MiB. `type` is `too-large`. */
        TooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `invalid`: readable, but against the rules, with `errors`. `key-reused`: the Idempotency-Key came with another payload before. */
        Invalid: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Neither `revision` nor `If-Match`. `type` is `revision-required`. */
        PreconditionRequired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `too-many-requests`: this session, organisation, account or address asks too often. Nothing was changed; send the same again later. */
        TooMany: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `overloaded`, `busy`, `unavailable`, `read-only`, `maintenance`, `fenced`, `not-in-production` or `provider-unavailable`. Nothing was changed; send the same again later. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description Items per page */
        Limit: number;
        /** @description `next_cursor` of the page before, with the same filters */
        Cursor: string;
        /** @description Only these, with commas between them; those that are not there are left out */
        IDs: string[];
        /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
        IfMatch: string;
        /** @description Any string of the client's choice, kept for at least a day for this member and operation */
        IdempotencyKey: string;
        /** @description Which session */
        SessionID: string;
        /** @description Which member */
        MemberID: string;
        /** @description Which team */
        TeamID: string;
        /** @description Which cycle */
        CycleID: string;
        /** @description Which objective */
        ObjectiveID: string;
        /** @description Which key result */
        KeyResultID: string;
        /** @description Which dialogue */
        DialogueID: string;
        /** @description Which job */
        JobID: string;
        /** @description Which suggestion */
        SuggestionID: string;
        /** @description true: from the latest back instead of from the first on */
        LatestFirst: boolean;
        /** @description Which invitation */
        InvitationID: string;
        /** @description Which identity */
        IdentityID: string;
        /** @description Which token */
        TokenID: string;
        /** @description Which broadcast */
        BroadcastID: string;
        /** @description Which webhook */
        WebhookID: string;
        /** @description Which delivery */
        WebhookDeliveryID: string;
        /** @description Which meeting */
        MeetingID: string;
        /** @description Which occurrence of a meeting */
        OccurrenceID: string;
        /** @description Which follow-up */
        FollowUpID: string;
        /** @description One meeting's; not together with `team_id` */
        OfMeeting: string;
        /** @description A team's instead of one's own */
        MeetingTeam: string;
        /** @description From this moment on (RFC 3339); with `before` */
        From: string;
        /** @description Before this moment (RFC 3339), at most 400 days after `from` */
        Before: string;
        /** @description The secret of one's anonymous answers */
        SurveySecret: string;
        /** @description The secret of the address, and `.ics` */
        Feed: string;
        /** @description The ETag of what was read last; 304 if nothing has changed since */
        IfNoneMatch: string;
        /** @description Which comment */
        CommentID: string;
        /** @description Which revision */
        RevisionNumber: number;
        /** @description Which objective is supported */
        SupportedID: string;
        /** @description As it stood at this past moment (RFC 3339) */
        AsOf: string;
        /** @description Which import */
        ImportID: string;
    };
    requestBodies: never;
    headers: {
        /** @description Changes with the content, for If-None-Match */
        ContentETag: string;
        /** @description The request's id, also in the server's log */
        RequestId: string;
        /** @description The revision as a strong ETag, for If-Match */
        ETag: string;
        /** @description The next page */
        Link: string;
        /** @description Where the new thing is */
        Location: string;
        /** @description Seconds to wait before sending the same again */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    GetSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session as the database knows it now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    SignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Signed in. The cookie is HttpOnly; the token is shown this once. */
            201: {
                headers: {
                    /** @description The session cookie */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    SignOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out; the cookie is taken back. */
            204: {
                headers: {
                    /** @description The cookie's end */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListSessions: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order they began. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    RevokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which session */
                session_id: components["parameters"]["SessionID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It has ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListMembers: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only those of this team */
                team_id?: string;
                /** @description Only those who have all of these words in name or address, as `/search` finds them; of words that very many have, only in the newest of them */
                text?: string;
                /** @description Only these, with commas between them; those that are not there are left out */
                ids?: components["parameters"]["IDs"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order of ids. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which member */
                member_id: components["parameters"]["MemberID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which member */
                member_id: components["parameters"]["MemberID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberPatch"];
            };
        };
        responses: {
            /** @description The member as changed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListTeams: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only these, with commas between them; those that are not there are left out */
                ids?: components["parameters"]["IDs"];
                /** @description Only those that have all of these words in their names, as `/search` finds them */
                text?: string;
                /** @description true: only archived ones; false: only those in use */
                archived?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order of creation. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamCreate"];
            };
        };
        responses: {
            /** @description The new team. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which team */
                team_id: components["parameters"]["TeamID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The team. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which team */
                team_id: components["parameters"]["TeamID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamPatch"];
            };
        };
        responses: {
            /** @description The team as changed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListTeamMembers: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description Which team */
                team_id: components["parameters"]["TeamID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order of members' ids. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamMemberPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    PutTeamMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which team */
                team_id: components["parameters"]["TeamID"];
                /** @description Which member */
                member_id: components["parameters"]["MemberID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamMemberPut"];
            };
        };
        responses: {
            /** @description The member's place in the team. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamMember"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    RemoveTeamMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which team */
                team_id: components["parameters"]["TeamID"];
                /** @description Which member */
                member_id: components["parameters"]["MemberID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No longer in it. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListCycles: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order of creation. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CyclePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateCycle: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CycleCreate"];
            };
        };
        responses: {
            /** @description The new cycle. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cycle"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetCycle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cycle. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cycle"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateCycle: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CyclePatch"];
            };
        };
        responses: {
            /** @description The cycle as changed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cycle"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListObjectives: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only those of this cycle */
                cycle_id?: string;
                /** @description Only those of this team */
                team_id?: string;
                /** @description Only those of this owner */
                owner_id?: string;
                /** @description Only those in this state */
                state?: components["schemas"]["ObjectiveState"];
                /** @description Archived ones instead of the others */
                archived?: boolean;
                /** @description Only those in this health */
                health?: components["schemas"]["Health"];
                /** @description Only those that are, or are not, outdated */
                outdated?: boolean;
                /** @description Only those with all of these words in their titles or in those of their key results, as `/search` looks for them */
                text?: string;
                /** @description Only those that contribute to this objective, in the order of creation; 404 if one may not see it */
                parent_objective_id?: string;
                /** @description Only those that support this objective, in the order of creation; 404 if one may not see it */
                supports?: string;
                /** @description `title` and those by progress are for one cycle, which `cycle_id` names, and not for a team or an owner */
                order?: components["schemas"]["ObjectiveOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order that was asked for. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectivePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateObjective: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjectiveCreate"];
            };
        };
        responses: {
            /** @description The new draft, at revision 1. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Objective"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetObjective: {
        parameters: {
            query?: {
                /** @description As it stood at this past moment (RFC 3339) */
                as_of?: components["parameters"]["AsOf"];
            };
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The objective. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Objective"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateObjective: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjectivePatch"];
            };
        };
        responses: {
            /** @description The objective as changed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Objective"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    MoveObjective: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
                /** @description What to do with it */
                action: components["schemas"]["ObjectiveAction"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjectiveMove"];
            };
        };
        responses: {
            /** @description The objective in its new state. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Objective"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListObjectiveHistory: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListComments: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description true: from the latest back instead of from the first on */
                newest?: components["parameters"]["LatestFirst"];
            };
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order they were written, or with `newest` from the latest back. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommentPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateComment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TextCreate"];
            };
        };
        responses: {
            /** @description The comment. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListCheckIns: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description Which key result */
                key_result_id: components["parameters"]["KeyResultID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page by the time they stand at; corrected ones name what corrects them. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckInPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateCheckIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which key result */
                key_result_id: components["parameters"]["KeyResultID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckInCreate"];
            };
        };
        responses: {
            /** @description The check-in. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListDialogues: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order they were opened. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DialoguePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    OpenDialogue: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DialogueCreate"];
            };
        };
        responses: {
            /** @description The dialogue. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dialogue"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetDialogue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which dialogue */
                dialogue_id: components["parameters"]["DialogueID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dialogue. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dialogue"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListMessages: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description true: from the latest back instead of from the first on */
                newest?: components["parameters"]["LatestFirst"];
            };
            header?: never;
            path: {
                /** @description Which dialogue */
                dialogue_id: components["parameters"]["DialogueID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order they were written, or with `newest` from the latest back. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which dialogue */
                dialogue_id: components["parameters"]["DialogueID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TextCreate"];
            };
        };
        responses: {
            /** @description The message. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListJobs: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description true: from the latest back instead of from the first on */
                newest?: components["parameters"]["LatestFirst"];
            };
            header?: never;
            path: {
                /** @description Which dialogue */
                dialogue_id: components["parameters"]["DialogueID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order of asking, or with `newest` from the latest back. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    AskCoach: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which dialogue */
                dialogue_id: components["parameters"]["DialogueID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobCreate"];
            };
        };
        responses: {
            /** @description The job to follow. */
            202: {
                headers: {
                    Location: components["headers"]["Location"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListSuggestions: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description true: from the latest back instead of from the first on */
                newest?: components["parameters"]["LatestFirst"];
            };
            header?: never;
            path: {
                /** @description Which dialogue */
                dialogue_id: components["parameters"]["DialogueID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order they were made, or with `newest` from the latest back. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestionPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which job */
                job_id: components["parameters"]["JobID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    FollowJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which job */
                job_id: components["parameters"]["JobID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CancelJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which job */
                job_id: components["parameters"]["JobID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancelled job. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetSuggestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which suggestion */
                suggestion_id: components["parameters"]["SuggestionID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The suggestion. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suggestion"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    AcceptSuggestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which suggestion */
                suggestion_id: components["parameters"]["SuggestionID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuggestionAcceptance"];
            };
        };
        responses: {
            /** @description The objective with the suggestion in it. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Objective"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    RejectSuggestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which suggestion */
                suggestion_id: components["parameters"]["SuggestionID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuggestionDecision"];
            };
        };
        responses: {
            /** @description The rejected suggestion. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suggestion"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListAuditEvents: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only what was done to this */
                target_id?: string;
                /** @description Only what this member did */
                actor_id?: string;
                /** @description Only this action, such as `objective.approved` */
                action?: string;
                /** @description Only what was done to things of this kind, such as `objective` */
                target_kind?: string;
                /** @description Only what happened at this moment (RFC 3339) or later */
                from?: string;
                /** @description Only what happened before this moment (RFC 3339) */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. With several filters it looks at a thousand events at most, so it may hold fewer than `limit`, even none, and still lead on. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEventPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its settings. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationSettings"];
                };
            };
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationPatch"];
            };
        };
        responses: {
            /** @description The settings as changed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetAIBudget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it stands now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AIBudget"];
                };
            };
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ReplaceOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationFile"];
            };
        };
        responses: {
            /** @description What was changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationChange"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListNotifications: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description true: only what is unread */
                unread?: boolean;
                /** @description Only these kinds, with commas between them */
                kind?: components["schemas"]["NotificationKind"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetNotificationSummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers, each exact up to its bound. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationSummary"];
                };
            };
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    MarkNotificationsRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationsRead"];
            };
        };
        responses: {
            /** @description How many were marked, and what is left. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationsMarked"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    FollowNotifications: {
        parameters: {
            query?: {
                /** @description How long to stay at most; 0 ends after what there is */
                seconds?: number;
            };
            header?: {
                /** @description The id of the last event that was received */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetNotificationPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every kind there is, as chosen or as it is by default. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    PutNotificationPreferences: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationPreferencesPut"];
            };
        };
        responses: {
            /** @description Every kind there is, as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetOwed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwedList"];
                };
            };
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListFeed: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only what happened to this objective */
                objective_id?: string;
                /** @description Only what happened to objectives that are this team's now */
                team_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetMailSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings, which are the defaults until one has changed them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailSettings"];
                };
            };
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateMailSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailSettingsPatch"];
            };
        };
        responses: {
            /** @description The settings as they are now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListInvitations: {
        parameters: {
            query?: {
                /** @description true: only those that are neither accepted nor revoked, overdue ones too */
                open?: boolean;
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    InviteMembers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationsCreate"];
            };
        };
        responses: {
            /** @description What became of each row, in their order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationResults"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ResendInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which invitation */
                invitation_id: components["parameters"]["InvitationID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    RevokeInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which invitation */
                invitation_id: components["parameters"]["InvitationID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation. Its link leads nowhere any more. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    LookUpInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationToken"];
            };
        };
        responses: {
            /** @description Whose invitation it is. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationView"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["InvitationOver"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    AcceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationAccept"];
            };
        };
        responses: {
            /** @description Joined. Now sign in with the e-mail address. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationAccepted"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["InvitationOver"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountPatch"];
            };
        };
        responses: {
            /** @description The account as changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ChangePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description Changed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ConfirmSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionConfirmation"];
            };
        };
        responses: {
            /** @description Proven. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identities. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Identities"];
                };
            };
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    LinkIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where to go. */
            200: {
                headers: {
                    /** @description The attempt's cookie */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityLink"];
                };
            };
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    UnlinkIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which identity */
                identity_id: components["parameters"]["IdentityID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListTokens: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description One's own, or as an admin everybody's */
                whose?: "own" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order they were made. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenCreate"];
            };
        };
        responses: {
            /** @description It is there. The token is shown this once. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    RevokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which token */
                token_id: components["parameters"]["TokenID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It has ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListBroadcasts: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only those in this state */
                state?: components["schemas"]["BroadcastState"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BroadcastPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateBroadcast: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastCreate"];
            };
        };
        responses: {
            /** @description The draft. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetBroadcast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which broadcast */
                broadcast_id: components["parameters"]["BroadcastID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The broadcast. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateBroadcast: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which broadcast */
                broadcast_id: components["parameters"]["BroadcastID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastPatch"];
            };
        };
        responses: {
            /** @description The broadcast as changed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    PreviewBroadcastAudience: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which broadcast */
                broadcast_id: components["parameters"]["BroadcastID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many, and the first of them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BroadcastReach"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ScheduleBroadcast: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which broadcast */
                broadcast_id: components["parameters"]["BroadcastID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastSchedule"];
            };
        };
        responses: {
            /** @description The broadcast, scheduled. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    SendBroadcast: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which broadcast */
                broadcast_id: components["parameters"]["BroadcastID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastMove"];
            };
        };
        responses: {
            /** @description The broadcast, being sent. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CancelBroadcast: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which broadcast */
                broadcast_id: components["parameters"]["BroadcastID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastMove"];
            };
        };
        responses: {
            /** @description The broadcast, cancelled. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ResendBroadcast: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which broadcast */
                broadcast_id: components["parameters"]["BroadcastID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastResend"];
            };
        };
        responses: {
            /** @description How it stands now. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BroadcastDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetBroadcastDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which broadcast */
                broadcast_id: components["parameters"]["BroadcastID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many are in each state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BroadcastDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListBroadcastDeliveries: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only those in this state */
                state?: components["schemas"]["BroadcastDeliveryState"];
            };
            header?: never;
            path: {
                /** @description Which broadcast */
                broadcast_id: components["parameters"]["BroadcastID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order of the members' ids. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BroadcastRecipientPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListWebhooks: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order of creation. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            /** @description The webhook with its secret, which is shown this once. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which webhook */
                webhook_id: components["parameters"]["WebhookID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, without its secret. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    DeleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which webhook */
                webhook_id: components["parameters"]["WebhookID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which webhook */
                webhook_id: components["parameters"]["WebhookID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            /** @description The webhook as changed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    RotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which webhook */
                webhook_id: components["parameters"]["WebhookID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookMove"];
            };
        };
        responses: {
            /** @description The webhook with its new secret, which is shown this once. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    TestWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which webhook */
                webhook_id: components["parameters"]["WebhookID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, on its way. */
            202: {
                headers: {
                    Location: components["headers"]["Location"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only those in this state */
                state?: components["schemas"]["WebhookDeliveryState"];
            };
            header?: never;
            path: {
                /** @description Which webhook */
                webhook_id: components["parameters"]["WebhookID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which webhook */
                webhook_id: components["parameters"]["WebhookID"];
                /** @description Which delivery */
                delivery_id: components["parameters"]["WebhookDeliveryID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ResendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which webhook */
                webhook_id: components["parameters"]["WebhookID"];
                /** @description Which delivery */
                delivery_id: components["parameters"]["WebhookDeliveryID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, on its way. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetSignInMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a page that asks people to sign in offers them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInMethods"];
                };
            };
        };
    };
    StartOIDC: {
        parameters: {
            query?: {
                /** @description Where to go once signed in: a path of this server, such as `/inbox`; `/` if left out */
                return_to?: string;
                /** @description Which organisation; the earliest joined if left out */
                organization_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the provider. */
            303: {
                headers: {
                    /** @description The provider's page */
                    Location?: string;
                    /** @description The attempt's cookie */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    FinishOIDC: {
        parameters: {
            query?: {
                /** @description What the provider gives for the tokens */
                code?: string;
                /** @description What binds it to the attempt */
                state?: string;
                /** @description Why the provider refused */
                error?: string;
                /** @description Who answers (RFC 9207) */
                iss?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed in, and on to where one wanted to go. The cookie is HttpOnly. */
            303: {
                headers: {
                    /** @description Where one wanted to go */
                    Location?: string;
                    /** @description The session cookie, and the end of the attempt's */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetMemberIcon: {
        parameters: {
            query?: {
                /** @description Which picture is meant; from `icon_url` */
                v?: string;
            };
            header?: {
                /** @description The ETag of what one has; 304 if that is still right */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Which member */
                member_id: components["parameters"]["MemberID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    /** @description SHA-256 of the picture */
                    ETag?: string;
                    /** @description `private, max-age=31536000, immutable` with the right `v`, and otherwise `private, no-cache` */
                    "Cache-Control"?: string;
                    /** @description Nothing may be loaded or run from it */
                    "Content-Security-Policy"?: string;
                    /** @description Always `inline` */
                    "Content-Disposition"?: string;
                    /** @description Always `same-origin` */
                    "Cross-Origin-Resource-Policy"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                };
            };
            /** @description What one has is right. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    PutMemberIcon: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which member */
                member_id: components["parameters"]["MemberID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/png": string;
                "image/jpeg": string;
                "image/gif": string;
                "image/webp": string;
            };
        };
        responses: {
            /** @description The picture is there. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberIcon"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    DeleteMemberIcon: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which member */
                member_id: components["parameters"]["MemberID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is none. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListMeetings: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description A team's instead of one's own */
                team_id?: components["parameters"]["MeetingTeam"];
                /** @description From this moment on (RFC 3339); with `before` */
                from?: components["parameters"]["From"];
                /** @description Before this moment (RFC 3339), at most 400 days after `from` */
                before?: components["parameters"]["Before"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order of creation. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeetingPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateMeeting: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MeetingCreate"];
            };
        };
        responses: {
            /** @description The meeting. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Meeting"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetMeeting: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which meeting */
                meeting_id: components["parameters"]["MeetingID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The meeting. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Meeting"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateMeeting: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which meeting */
                meeting_id: components["parameters"]["MeetingID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MeetingPatch"];
            };
        };
        responses: {
            /** @description The meeting as changed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Meeting"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CancelMeeting: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which meeting */
                meeting_id: components["parameters"]["MeetingID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevisionOnly"];
            };
        };
        responses: {
            /** @description The meeting, called off. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Meeting"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListAttendees: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description Which meeting */
                meeting_id: components["parameters"]["MeetingID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order of members' ids. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttendeePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    PutAttendee: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which meeting */
                meeting_id: components["parameters"]["MeetingID"];
                /** @description Which member */
                member_id: components["parameters"]["MemberID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member as an attendee. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attendee"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    RemoveAttendee: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which meeting */
                meeting_id: components["parameters"]["MeetingID"];
                /** @description Which member */
                member_id: components["parameters"]["MemberID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No longer in it. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    RespondToMeeting: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which meeting */
                meeting_id: components["parameters"]["MeetingID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MeetingResponse"];
            };
        };
        responses: {
            /** @description Oneself as an attendee. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attendee"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetMeetingCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which meeting */
                meeting_id: components["parameters"]["MeetingID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description iCalendar (RFC 5545). */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/calendar": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListOccurrences: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description A team's instead of one's own */
                team_id?: components["parameters"]["MeetingTeam"];
                /** @description From this moment on (RFC 3339); with `before` */
                from?: components["parameters"]["From"];
                /** @description Before this moment (RFC 3339), at most 400 days after `from` */
                before?: components["parameters"]["Before"];
                /** @description One meeting's; not together with `team_id` */
                meeting_id?: components["parameters"]["OfMeeting"];
                /** @description true: from the latest back instead of from the first on */
                newest?: components["parameters"]["LatestFirst"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order of time, or from the latest back. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OccurrencePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetOccurrence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which occurrence of a meeting */
                occurrence_id: components["parameters"]["OccurrenceID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The occurrence. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Occurrence"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    MoveOccurrence: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which occurrence of a meeting */
                occurrence_id: components["parameters"]["OccurrenceID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OccurrenceMove"];
            };
        };
        responses: {
            /** @description The occurrence as moved. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Occurrence"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CancelOccurrence: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which occurrence of a meeting */
                occurrence_id: components["parameters"]["OccurrenceID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevisionOnly"];
            };
        };
        responses: {
            /** @description The occurrence, called off. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Occurrence"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    WriteMinutes: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which occurrence of a meeting */
                occurrence_id: components["parameters"]["OccurrenceID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MinutesPut"];
            };
        };
        responses: {
            /** @description The occurrence with its minutes. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Occurrence"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetOccurrenceKeyResults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which occurrence of a meeting */
                occurrence_id: components["parameters"]["OccurrenceID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The objectives with their key results. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectivesToCheckIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The secret of one's anonymous answers */
                "Survey-Secret"?: components["parameters"]["SurveySecret"];
            };
            path: {
                /** @description Which occurrence of a meeting */
                occurrence_id: components["parameters"]["OccurrenceID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The survey. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Survey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    AnswerSurvey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which occurrence of a meeting */
                occurrence_id: components["parameters"]["OccurrenceID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SurveyAnswersPut"];
            };
        };
        responses: {
            /** @description What was answered, and the secret where one is needed to change it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SurveyAnswered"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateFollowUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which occurrence of a meeting */
                occurrence_id: components["parameters"]["OccurrenceID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FollowUpCreate"];
            };
        };
        responses: {
            /** @description The follow-up. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FollowUp"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListFollowUps: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order it was agreed. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FollowUpPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetFollowUp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which follow-up */
                follow_up_id: components["parameters"]["FollowUpID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The follow-up. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FollowUp"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateFollowUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which follow-up */
                follow_up_id: components["parameters"]["FollowUpID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FollowUpPatch"];
            };
        };
        responses: {
            /** @description The follow-up as changed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FollowUp"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    OpenCalendarFeed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The address, shown this once. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalendarFeed"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CloseCalendarFeed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It leads nowhere any more. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetCalendarFeed: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of what was read last; 304 if nothing has changed since */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The secret of the address, and `.ics` */
                feed: components["parameters"]["Feed"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description iCalendar (RFC 5545). */
            200: {
                headers: {
                    ETag: components["headers"]["ContentETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/calendar": string;
                };
            };
            /** @description As it was read last. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetObjectiveRevision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
                /** @description Which revision */
                revision: components["parameters"]["RevisionNumber"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revision. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryEntry"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    RestoreObjectiveVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VersionRestore"];
            };
        };
        responses: {
            /** @description The objective at its new revision. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Objective"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    DeleteComment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which comment */
                comment_id: components["parameters"]["CommentID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its words are gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateComment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which comment */
                comment_id: components["parameters"]["CommentID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentPatch"];
            };
        };
        responses: {
            /** @description The comment as changed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListObjectivesToScore: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order of creation. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScorePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ScoreObjectives: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScoresPut"];
            };
        };
        responses: {
            /** @description What came of each. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoreResults"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CarryOver: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CarryOverCreate"];
            };
        };
        responses: {
            /** @description What was made, or would be. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarryOverResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListAlignmentRoots: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order of creation. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlignmentPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListChildren: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only what contributes to this key result of it; 404 if it has no such key result */
                key_result_id?: string;
            };
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order of creation. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlignmentPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetAlignmentPath: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The path, the objective itself last. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlignmentPath"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListSupported: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description `supporters` for what supports it */
                direction?: components["schemas"]["SupportDirection"];
            };
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order of creation. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlignmentPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    SupportObjective: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
                /** @description Which objective is supported */
                supported_id: components["parameters"]["SupportedID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    StopSupporting: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
                /** @description Which objective is supported */
                supported_id: components["parameters"]["SupportedID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does not. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    Search: {
        parameters: {
            query: {
                /** @description A few words */
                q: string;
                /** @description Only these */
                kind?: components["schemas"]["SearchKind"];
                /** @description How many of each kind */
                limit?: number;
                /** @description Only objectives of this cycle */
                cycle_id?: string;
                /** @description Not this one: an objective has other parents than itself */
                without_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetDashboard: {
        parameters: {
            query?: {
                /** @description The cycle */
                cycle_id?: string;
                /** @description As it stood at this past moment (RFC 3339) */
                as_of?: components["parameters"]["AsOf"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dashboard. Without any cycle there is none in it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dashboard"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetTeamOverview: {
        parameters: {
            query?: {
                /** @description The cycle; as for the dashboard if left out */
                cycle_id?: string;
            };
            header?: never;
            path: {
                /** @description Which team */
                team_id: components["parameters"]["TeamID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. Each list has a bound; `more` and the operation that lists it lead on. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamOverview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetCycleProgress: {
        parameters: {
            query?: {
                /** @description Of this team alone */
                team_id?: string;
            };
            header?: never;
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The days, the earliest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CycleProgress"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListMissingObjectives: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only members of this team */
                team_id?: string;
            };
            header?: never;
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order in which they joined. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingObjectivesPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListMissingCheckIns: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only those of this team */
                team_id?: string;
            };
            header?: never;
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingCheckInsPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetObjectiveSeries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which objective */
                objective_id: components["parameters"]["ObjectiveID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A series for each key result, in their order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectiveSeries"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListCycleTeams: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description As it stood at this past moment (RFC 3339) */
                as_of?: components["parameters"]["AsOf"];
            };
            header?: never;
            path: {
                /** @description Which cycle */
                cycle_id: components["parameters"]["CycleID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order in which the teams were made. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CycleTeamsPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListImports: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateImport: {
        parameters: {
            query?: {
                /** @description What the file is called */
                file_name?: string;
                /** @description The file's encoding, where finding it out goes wrong */
                encoding?: "utf-8" | "utf-16" | "shift_jis" | "windows-1252";
                /** @description What stands between cells, where finding it out goes wrong */
                separator?: "comma" | "semicolon" | "tab";
                /** @description Which sheet of a workbook is read, by its name. Where none is named it is the first visible one that tells of objectives, or else the first with rows */
                sheet?: string;
            };
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
                "application/json": components["schemas"]["ImportFile"];
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
            };
        };
        responses: {
            /** @description The file is there. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which import */
                import_id: components["parameters"]["ImportID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which import */
                import_id: components["parameters"]["ImportID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportPatch"];
            };
        };
        responses: {
            /** @description The import as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    FollowImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which import */
                import_id: components["parameters"]["ImportID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CheckImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which import */
                import_id: components["parameters"]["ImportID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportMove"];
            };
        };
        responses: {
            /** @description Begun. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    RunImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that the edit was made from, such as `"7"`; 412 when it no longer holds */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which import */
                import_id: components["parameters"]["ImportID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportMove"];
            };
        };
        responses: {
            /** @description Begun. */
            202: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    CancelImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of the client's choice, kept for at least a day for this member and operation */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Which import */
                import_id: components["parameters"]["ImportID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is cancelled. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListImportRows: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only rows with this result */
                result?: components["schemas"]["ImportResult"];
            };
            header?: never;
            path: {
                /** @description Which import */
                import_id: components["parameters"]["ImportID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the order of the file. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportRowPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ExportObjectives: {
        parameters: {
            query?: {
                /** @description Which kind of file */
                format?: "csv" | "json";
                /** @description Only this cycle */
                cycle_id?: string;
                /** @description The encoding of a CSV */
                encoding?: "utf-8-bom" | "utf-8" | "shift_jis";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListOrganizationJobs: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only those in this state */
                state?: components["schemas"]["JobState"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobOverviewPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooMany"];
            503: components["responses"]["Unavailable"];
        };
    };
}
