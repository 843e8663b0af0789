package exchange

import "slices"

// Own is the layout of this program's exports, and Other that of files which no layout knows.
const (
	Own   = "kakeai"
	Other = "other"
)

// Layout is how a program writes its objectives, as far as its public documentation says.
type Layout struct {
	Name    string // also the source under which its ids are remembered
	Product string
	Source  string           // where its columns are documented
	Columns map[string]Field // by header
	Needed  []string         // headers by which it is told from others
}

// Layouts are the files of others that are understood, the most particular first. docs/api.md has the same table.
func Layouts() []Layout {
	return []Layout{
		{
			Name: "peoplebox", Product: "Peoplebox: Goals Import via CSV (V2)",
			Source: "https://help.peoplebox.ai/hc/peoplebox-help-center/articles/1756218434-goals-import-via-csv-v2",
			Needed: []string{"Row ID", "Goal Title", "Goal Cycle", "Parent Row IDs"},
			Columns: map[string]Field{"Row ID": ObjectiveID, "Parent Row IDs": ParentObjective, "Goal Title": Objective, "Owner Emails": Owner, "Goal Cycle": Cycle, "Goal Type": Unit,
				"Departments": Team, "Description": ObjectiveDescription, "Starting Value": Baseline, "Target Value": Target, "Current Value": Value},
		},
		{
			Name: "betterworks", Product: "Betterworks: OKR Uploads",
			Source:  "https://support.betterworks.com/hc/en-us/articles/360032818992-OKR-Uploads",
			Needed:  []string{"name", "type", "progress", "owner_email", "start_date", "end_date"},
			Columns: map[string]Field{"name": Item, "type": ItemType, "progress": Progress, "owner_email": ItemOwner, "description": ItemDescription},
		},
		{
			Name: "peoplecues", Product: "PeopleCues (xto10x): Objectives Bulk Upload",
			Source: "https://docs.xto10x.com/peoplecues/objectives/objectives-bulk-upload",
			Needed: []string{"Objective Title", "Owner_Email_ID", "Start_Date", "Due_Date"},
			Columns: map[string]Field{"Objective Title": Objective, "Owner_Email_ID": Owner, "Description": ObjectiveDescription, "Metric_Name": KeyResult, "Metric_Type": Unit,
				"Metric_Start_Value": Baseline, "Metric_Target_Value": Target},
		},
		{
			Name: "engagedly", Product: "Engagedly: Uploading goals in bulk through Excel file",
			Source:  "https://engagedly.freshdesk.com/support/solutions/articles/6000230429-uploading-goals-in-bulk-through-excel-file",
			Needed:  []string{"Goal", "Notes", "Goal Identifier", "Start Date", "End Date"},
			Columns: map[string]Field{"Goal": Objective, "Notes": ObjectiveDescription, "Goal Identifier": ObjectiveID, "Owner Email ID": Owner},
		},
		{
			Name: "viva-goals", Product: "Microsoft Viva Goals: the template of Import OKRs, its sheet saved as CSV",
			Source:  "https://github.com/MicrosoftDocs/Viva/blob/main/Viva/goals/import-okrs-projects.md",
			Needed:  []string{"OKR Reference", "Parent OKR", "Title"},
			Columns: map[string]Field{"OKR Reference": ItemID, "Parent OKR": ItemParent, "Title": Item, "Owner": ItemOwner, "Time Period": Cycle, "Type": Team},
		},
	}
}

// layoutOf finds the layout whose needed headers are all there.
func layoutOf(columns []string) Layout {
	own := []string{folded(string(ObjectiveID)), folded(string(KeyResultID)), folded(string(CheckInID)), folded(string(ParentKeyResult))}
	if !slices.ContainsFunc(own, func(c string) bool { return !slices.Contains(columns, c) }) {
		return Layout{Name: Own, Product: "Kakeai"}
	}
	for _, l := range Layouts() {
		if !slices.ContainsFunc(l.Needed, func(h string) bool { return !slices.Contains(columns, folded(h)) }) {
			return l
		}
	}
	return Layout{Name: Other, Product: "Other"}
}
