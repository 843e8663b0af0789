package main

import (
	"database/sql"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/kakeai/kakeai/bench/peers/answer"
	"github.com/kakeai/kakeai/internal/auth"
)

// show answers an objective with its key results, all of it as of one moment, as the product does.
func show(database *gorm.DB) gin.HandlerFunc {
	return func(c *gin.Context) {
		id, err := uuid.Parse(c.Param("id"))
		if err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		bearer, _ := strings.CutPrefix(c.GetHeader("Authorization"), "Bearer ")
		token, err := auth.ParseToken(bearer)
		if err != nil {
			c.JSON(http.StatusUnauthorized, gin.H{"error": err.Error()})
			return
		}
		var o *Objective
		var a answer.Actor
		names := map[uuid.UUID]string{}
		err = database.WithContext(c.Request.Context()).Transaction(func(tx *gorm.DB) error {
			if err := tx.Exec("SELECT set_config('kakeai.organization_id', ?, true)", token.Organization.String()).Error; err != nil {
				return err
			}
			if a, _, err = actorOf(tx, token); err != nil {
				return err
			}
			o, err = visible(tx.InnerJoins("Changer"), token.Organization, a, id)
			return err
		}, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
		if err != nil {
			fail(c, err)
			return
		}
		names[o.OwnerID], names[o.ChangedBy] = o.Owner.Name, o.Changer.Name
		c.JSON(http.StatusOK, o.whole(names).View(a))
	}
}
